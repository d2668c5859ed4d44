import { createRemoteJWKSet, errors, type JWTVerifyGetKey, type RemoteJWKSetOptions } from 'jose';
import { RegistryError } from '../errors/registry-error.js';

/** The issuer's signing keys cannot be fetched; its tokens can be neither accepted nor rejected. */
function issuerUnavailable(issuer: string, options: ErrorOptions): RegistryError {
  return new RegistryError('issuer_unavailable', `cannot fetch signing keys of issuer ${issuer}`, options);
}

/** Timeouts and cache lifetimes, in milliseconds. */
export interface IssuerTimes {
  /** Time limit of a request to the issuer. */
  readonly timeoutMs: number;
  /** Between attempts after a failure, and between fetches for an unknown key. */
  readonly cooldownMs: number;
  /** How long keys are cached. */
  readonly keysMaxAgeMs: number;
  /** How long the discovery document is cached. */
  readonly metadataMaxAgeMs: number;
}

export const ISSUER_TIMES: IssuerTimes = {
  timeoutMs: 3_000,
  cooldownMs: 30_000,
  keysMaxAgeMs: 600_000,
  metadataMaxAgeMs: 3_600_000,
};

/** The key set or the failure to fetch it, and when it expires. */
interface Discovery {
  readonly keys: Promise<JWTVerifyGetKey>;
  until: number;
}

/** The public keys of an OpenID Connect issuer: found by discovery when first needed, cached, refreshed. */
export class IssuerKeys {
  private discovery: Discovery | undefined;

  /** @param issuer its identifier, exactly as its tokens have it */
  constructor(
    private readonly issuer: string,
    private readonly times: IssuerTimes = ISSUER_TIMES,
  ) {}

  /**
   * The key for a token's header, as `jwtVerify` asks for it.
   *
   * @throws {errors.JWKSNoMatchingKey | errors.JWKSMultipleMatchingKeys | errors.JOSENotSupported}
   * @throws {RegistryError} `issuer_unavailable`
   */
  readonly keyFor: JWTVerifyGetKey = async (header, token) => {
    try {
      return await (
        await this.keys()
      )(header, token);
    } catch (cause) {
      if (cause instanceof errors.JWKSNoMatchingKey) throw cause;
      if (cause instanceof errors.JWKSMultipleMatchingKeys) throw cause;
      if (cause instanceof errors.JOSENotSupported) throw cause;
      throw issuerUnavailable(this.issuer, { cause });
    }
  };

  private async keys(): Promise<JWTVerifyGetKey> {
    if (this.discovery && this.discovery.until > performance.now()) return this.discovery.keys;
    const keys = this.discover();
    const discovery = { keys, until: performance.now() + this.times.metadataMaxAgeMs };
    this.discovery = discovery;
    try {
      return await keys;
    } catch (error) {
      discovery.until = performance.now() + this.times.cooldownMs;
      throw error;
    }
  }

  private async discover(): Promise<JWTVerifyGetKey> {
    const metadata = await this.metadata();
    // OpenID Connect Discovery section 4.3.
    if (metadata['issuer'] !== this.issuer) throw new Error('the discovery document names another issuer');
    const address = metadata['jwks_uri'];
    if (typeof address !== 'string') throw new Error('the discovery document has no jwks_uri');
    const url = new URL(address);
    if (url.protocol !== 'https:' && url.protocol !== new URL(this.issuer).protocol) {
      throw new Error('the jwks_uri must be an https URL, as the issuer is');
    }
    return createRemoteJWKSet(url, this.jwksOptions());
  }

  private jwksOptions(): RemoteJWKSetOptions {
    const { timeoutMs, cooldownMs, keysMaxAgeMs } = this.times;
    return { timeoutDuration: timeoutMs, cooldownDuration: cooldownMs, cacheMaxAge: keysMaxAgeMs };
  }

  private async metadata(): Promise<Record<string, unknown>> {
    const url = `${this.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const signal = AbortSignal.timeout(this.times.timeoutMs);
    const response = await fetch(url, { redirect: 'error', signal, headers: { accept: 'application/json' } });
    if (!response.ok) throw new Error(`the discovery document returned ${response.status}`);
    const metadata: unknown = await response.json();
    if (typeof metadata !== 'object' || metadata === null)
      throw new Error('the discovery document is not a JSON object');
    return metadata as Record<string, unknown>;
  }
}
