import { type JsonWebKey, keySetViolations, verifyingKeys } from '@svc/client-metadata';
import type { DestinationPolicy, Resolve } from '@svc/service-kit/destinations';
import { Semaphore, SemaphoreTimeoutError } from '../database/semaphore.js';
import { hasErrorCode, RegistryError } from '../errors/registry-error.js';
import { callHost, type CallLimits } from '../outgoing/call-host.js';

/** Limits and cache lifetimes of keys that are fetched. */
export interface KeyTimes extends CallLimits {
  /** How long keys are cached. */
  readonly maxAgeMs: number;
  /** Between fetches after a failure, or for a key that is not in the set. */
  readonly cooldownMs: number;
  /** How long a fetch may wait for others to end. */
  readonly waitMs: number;
}

export const KEY_TIMES: KeyTimes = {
  timeoutMs: 3_000,
  maxBytes: 64 * 1024,
  maxAgeMs: 600_000,
  cooldownMs: 30_000,
  waitMs: 2_000,
};

/** Addresses whose keys are cached: the least recently fetched are forgotten. */
const MAX_CACHED = 500;

/** Concurrent fetches: resolving a slow name blocks one of Node's few threads for files and names. */
const MAX_UNDER_WAY = 8;

/** The keys of a Client cannot be read at their address, for a reason that is safe to return. */
export class KeysUnavailableError extends Error {
  override readonly name = 'KeysUnavailableError';
}

interface FetchedKeys {
  readonly keys: Promise<readonly JsonWebKey[]>;
  /** When the fetch began. */
  readonly fetchedAt: number;
}

interface CachedKeys extends FetchedKeys {
  isFailed: boolean;
  /** The last attempt to find an unknown key; until it succeeds, these keys stay in use. */
  newer?: FetchedKeys;
}

/**
 * The public keys at Clients' `jwks_uri`: fetched from permitted addresses only, cached, and fetched again for an unknown
 * key, at most once per cooldown and address.
 */
export class ClientKeys {
  private readonly cache = new Map<string, CachedKeys>();
  private readonly fetches: Semaphore;

  constructor(
    private readonly policy: DestinationPolicy,
    private readonly times: KeyTimes = KEY_TIMES,
    private readonly resolve?: Resolve,
  ) {
    this.fetches = new Semaphore({ all: () => MAX_UNDER_WAY, waitMs: times.waitMs });
  }

  /**
   * @param isWanted whether a key is the one needed; if none is, the keys are fetched again, as they may have changed
   * @throws {KeysUnavailableError | RegistryError} `checks_busy`: nothing was fetched, because too many others are
   */
  async keysAt(uri: string, isWanted: (key: JsonWebKey) => boolean): Promise<readonly JsonWebKey[]> {
    const cached = this.cache.get(uri);
    if (!cached || this.isOver(cached)) return this.fetchFirst(uri);
    const keys = await cached.keys;
    return keys.some(isWanted) || this.isCoolingDown(cached) ? keys : this.fetchAgain(uri, cached);
  }

  private isOver(cached: CachedKeys): boolean {
    return cached.isFailed ? !this.isCoolingDown(cached) : ageOf(cached) >= this.times.maxAgeMs;
  }

  private isCoolingDown(fetched: FetchedKeys): boolean {
    return ageOf(fetched) < this.times.cooldownMs;
  }

  private async fetchFirst(uri: string): Promise<readonly JsonWebKey[]> {
    const fetched: CachedKeys = { ...this.fetch(uri), isFailed: false };
    this.remember(uri, fetched);
    try {
      return await fetched.keys;
    } catch (error) {
      fetched.isFailed = true;
      if (hasErrorCode(error, 'checks_busy') && this.cache.get(uri) === fetched) this.cache.delete(uri);
      throw error;
    }
  }

  /** Anyone can name an unknown key, so neither a slow nor a failed fetch for one keeps the known keys from being used. */
  private async fetchAgain(uri: string, cached: CachedKeys): Promise<readonly JsonWebKey[]> {
    if (cached.newer && this.isCoolingDown(cached.newer)) return cached.newer.keys;
    const newer = this.fetch(uri);
    cached.newer = newer;
    try {
      const keys = await newer.keys;
      this.remember(uri, { ...newer, isFailed: false });
      return keys;
    } catch (error) {
      if (hasErrorCode(error, 'checks_busy')) delete cached.newer;
      throw error;
    }
  }

  private remember(uri: string, fetched: CachedKeys): void {
    this.cache.delete(uri);
    this.cache.set(uri, fetched);
    const [oldest] = this.cache.keys();
    if (this.cache.size > MAX_CACHED && oldest !== undefined) this.cache.delete(oldest);
  }

  private fetch(uri: string): FetchedKeys {
    return { keys: this.fetchInTurn(uri), fetchedAt: performance.now() };
  }

  private async fetchInTurn(uri: string): Promise<readonly JsonWebKey[]> {
    try {
      return await this.fetches.run(async () => this.fetchKeys(uri));
    } catch (error) {
      if (!(error instanceof SemaphoreTimeoutError)) throw error;
      throw new RegistryError('checks_busy', 'too many client keys are being fetched; try again shortly');
    }
  }

  private async fetchKeys(uri: string): Promise<readonly JsonWebKey[]> {
    try {
      const { status, body } = await callHost(
        new URL(uri),
        { method: 'GET', headers: { accept: 'application/jwk-set+json, application/json' } },
        this.policy,
        this.times,
        this.resolve,
      );
      if (status !== 200) throw new KeysUnavailableError(`jwks_uri responded with status ${status}`);
      return usableKeys(body.toString('utf8'));
    } catch (error) {
      if (error instanceof KeysUnavailableError) throw error;
      const reason = error instanceof Error ? error.message : 'no response';
      throw new KeysUnavailableError(`jwks_uri cannot be read: ${reason}`, { cause: error });
    }
  }
}

function ageOf({ fetchedAt }: FetchedKeys): number {
  return performance.now() - fetchedAt;
}

/** Further keys are ignored. */
const MAX_FETCHED_KEYS = 50;

/** Keys of a kind that is not supported are ignored (RFC 7517 section 5), and so are those that are malformed. */
function usableKeys(text: string): readonly JsonWebKey[] {
  const keys = keysIn(text);
  if (!keys)
    throw new KeysUnavailableError('jwks_uri does not return a JSON Web Key Set (RFC 7517 section 5)');
  const usable = keys
    .slice(0, MAX_FETCHED_KEYS)
    .filter((key) => keySetViolations({ keys: [key] }).length === 0);
  return verifyingKeys({ keys: usable as JsonWebKey[] });
}

function keysIn(text: string): readonly unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const keys = typeof value === 'object' && value !== null && 'keys' in value ? value.keys : undefined;
    return Array.isArray(keys) ? keys : undefined;
  } catch {
    return undefined;
  }
}
