import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { ALL_CLIENTS } from '@svc/client-metadata';
import type { Principal, TokenVerifier } from '@svc/service-kit';
import { DataSource } from 'typeorm';
import { LastUseRecorder } from '../database/last-use-recorder.js';
import { isConnectionError, isTimeoutError } from '../database/database-errors.js';
import { ReadContext, readContext } from '../database/read-context.js';
import type { RegistryPrincipal } from '../http/registry-principal.js';
import type { ApiToken } from './api-token.entity.js';
import { MetricsTokenCache } from './metrics-token-cache.js';
import { networkMatcher } from './networks.js';
import { TokenEvents } from './token-events.js';
import { COUNT_USE, hashTokenValue, TOKEN_BY_HASH } from './tokens.repository.js';

/** How long another replica may still accept a revoked token, in milliseconds. Includes the age of data from a standby. */
const CACHE_MS = 1_000;

/** How long this replica refuses a revoked token that a standby may still have, in milliseconds. */
const REVOKED_MS = 600_000;

/** Tokens in the cache. */
const MAX_CACHED = 10_000;

/** A usable token. */
interface VerifiedToken {
  readonly principal: RegistryPrincipal;
  /** Absent: from everywhere. */
  readonly isUsableFrom?: (address: string) => boolean;
  /** Whether its uses are counted. */
  readonly isCounted: boolean;
  /** When it was certainly usable, by the monotonic clock. */
  readonly asOf: number;
}

interface Cached {
  /** When it expires, by the monotonic clock: a revoked token must not stay valid because the system's clock was set back. */
  readonly until: number;
  /** A promise during the query. */
  readonly token: VerifiedToken | Promise<VerifiedToken | undefined>;
}

/** Verifies the registry's own API tokens. Looks them up by hash, so that no secrets are compared. */
@Injectable()
export class ApiTokenVerifier implements TokenVerifier, OnApplicationShutdown {
  private readonly cache = new Map<string, Cached>();
  /** When this replica revoked them, oldest first. */
  private readonly revoked = new Map<string, number>();
  private readonly metricsTokens = new MetricsTokenCache<VerifiedToken>();
  private readonly uses: LastUseRecorder;

  constructor(
    private readonly dataSource: DataSource,
    private readonly events: TokenEvents,
  ) {
    this.uses = new LastUseRecorder(dataSource, {
      ...{ table: 'api_token', idType: 'text', stepMs: 60_000 },
      onFirstUse: (transaction, uses) => events.firstUsed(transaction, uses),
    });
    events.onRevoked((hash) => this.refuse(hash));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.uses.close();
  }

  verify(token: string, address: string): Verified | Promise<Verified> {
    const found = this.lookUp(token, address);
    if (!(found instanceof Promise)) return this.admit(found, address);
    return found.then((token) => this.admit(token, address));
  }

  private lookUp(
    token: string,
    address: string,
  ): VerifiedToken | Promise<VerifiedToken | undefined> | undefined {
    const hash = hashTokenValue(token);
    const key = keyOf(hash);
    if (this.revoked.has(key)) return undefined;
    const cached = this.cache.get(key);
    if (cached && cached.until > performance.now()) return cached.token;
    if (this.cache.size >= MAX_CACHED) this.cache.clear();
    const asked: Cached = { until: performance.now() + CACHE_MS, token: this.findOrRecall(hash, address) };
    this.cache.set(key, asked);
    return this.settle(key, asked);
  }

  /** Replaces the promise by its result, unless the token was revoked in between. */
  private async settle(key: string, asked: Cached): Promise<VerifiedToken | undefined> {
    let found: VerifiedToken | undefined;
    try {
      found = await asked.token;
    } finally {
      if (this.cache.get(key) === asked) {
        // Invalid tokens must not displace valid ones.
        if (found) this.cache.set(key, { until: found.asOf + CACHE_MS, token: found });
        else this.cache.delete(key);
      }
    }
    return found;
  }

  private refuse(hash: Buffer): void {
    const [key, now] = [keyOf(hash), performance.now()];
    this.cache.delete(key);
    this.metricsTokens.forget(key);
    this.revoked.set(key, now);
    for (const [former, at] of this.revoked) {
      if (now - at <= REVOKED_MS) break;
      this.revoked.delete(former);
    }
  }

  private admit(token: VerifiedToken | undefined, address: string): Verified | Promise<Verified> {
    if (!token) return undefined;
    if (token.isUsableFrom?.(address) === false) {
      this.events.networkRefused(token.principal, address);
      return undefined;
    }
    return token.isCounted ? this.countUse(token.principal) : token.principal;
  }

  /** Where a token has a limit of uses, one statement more counts each of them. */
  private async countUse(principal: RegistryPrincipal): Promise<Verified> {
    const counted = await COUNT_USE.run(this.dataSource, [new Date(), principal.id]);
    return counted.length > 0 ? principal : undefined;
  }

  private async findOrRecall(hash: Buffer, address: string): Promise<VerifiedToken | undefined> {
    try {
      return await this.find(hash, address);
    } catch (error) {
      const recalled = this.metricsTokens.recall(keyOf(hash));
      if (recalled && (isConnectionError(error) || isTimeoutError(error))) return recalled;
      throw error;
    }
  }

  private async find(hash: Buffer, address: string): Promise<VerifiedToken | undefined> {
    const context = new ReadContext('credentials');
    const startedAt = performance.now();
    const [token] = await readContext.run(context, async () => TOKEN_BY_HASH.find(this.dataSource, [hash]));
    if (!token || (token.expiresAt && token.expiresAt <= new Date())) {
      this.metricsTokens.forget(keyOf(hash));
      return undefined;
    }
    this.uses.record(token, { name: token.name, address });
    const verified = toVerified(token, context.asOf ?? startedAt);
    this.metricsTokens.remember(keyOf(hash), verified, token);
    return verified;
  }
}

function keyOf(hash: Buffer): string {
  return hash.toString('latin1');
}

type Verified = RegistryPrincipal | undefined;

function toVerified(
  { id, name, scopes, selector, networks, maxUses }: ApiToken,
  asOf: number,
): VerifiedToken {
  const principal = { id, name, scopes, selector: selector ?? ALL_CLIENTS, ...(networks && { networks }) };
  return {
    principal,
    ...(networks && { isUsableFrom: networkMatcher(networks) }),
    isCounted: maxUses !== null,
    asOf,
  };
}

/** Nest's injection token for the verifier of the issuer's access tokens; `undefined` when no issuer is configured. */
export const ACCESS_TOKENS = Symbol('AccessTokens');

/** The compact serialization of a signed JWT (RFC 7515 section 7.1): its header, a JSON object, begins with `{"`. */
const JWT = /^eyJ[\w-]*\.[\w-]+\.[\w-]+$/;

/** Accepts the registry's own API tokens and, where an issuer is configured, its access tokens. */
export class CompositeTokenVerifier implements TokenVerifier {
  /** @param accessTokens absent when no issuer is configured */
  constructor(
    private readonly apiTokens: TokenVerifier,
    private readonly accessTokens?: TokenVerifier,
  ) {}

  verify(token: string, address: string): Principal | undefined | Promise<Principal | undefined> {
    const { accessTokens } = this;
    if (!accessTokens || !JWT.test(token)) return this.apiTokens.verify(token, address);
    return this.verifyEither(token, address, accessTokens);
  }

  /** The issuer's first, so that a request with an access token costs no query. */
  private async verifyEither(
    token: string,
    address: string,
    accessTokens: TokenVerifier,
  ): Promise<Principal | undefined> {
    return (await accessTokens.verify(token, address)) ?? this.apiTokens.verify(token, address);
  }
}
