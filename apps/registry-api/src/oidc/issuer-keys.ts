import { createRemoteJWKSet, errors, type JWTVerifyGetKey, type RemoteJWKSetOptions } from 'jose';
import { RegistryError } from '../errors/registry-error.js';

/** The issuer does not give what is needed to check its tokens. Says nothing of the token. */
function issuerUnavailable(issuer: string, options: ErrorOptions): RegistryError {
  return new RegistryError('issuer_unavailable', `the keys of the issuer ${issuer} cannot be had`, options);
}

/** How long what the issuer said is good for, in milliseconds. */
export interface IssuerTimes {
  /** An answer that takes longer is a failure. */
  readonly timeoutMs: number;
  /** Between two tries after a failure, and between two fetches because of an unknown key. */
  readonly cooldownMs: number;
  /** After which keys are fetched anew. */
  readonly keysMaxAgeMs: number;
  /** After which the address of the keys is looked up anew. */
  readonly metadataMaxAgeMs: number;
}

export const ISSUER_TIMES: IssuerTimes = {
  timeoutMs: 3_000,
  cooldownMs: 30_000,
  keysMaxAgeMs: 600_000,
  metadataMaxAgeMs: 3_600_000,
};

/** The set of keys once found, or the failure to find it, and until when either counts. */
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
    if (this.discovery && this.discovery.until > Date.now()) return this.discovery.keys;
    const keys = this.discover();
    const discovery = { keys, until: Date.now() + this.times.metadataMaxAgeMs };
    this.discovery = discovery;
    try {
      return await keys;
    } catch (error) {
      discovery.until = Date.now() + this.times.cooldownMs;
      throw error;
    }
  }

  private async discover(): Promise<JWTVerifyGetKey> {
    const metadata = await this.metadata();
    // Nobody else may speak for the issuer (OpenID Connect Discovery section 4.3).
    if (metadata['issuer'] !== this.issuer) throw new Error('the discovery document is of another issuer');
    const address = metadata['jwks_uri'];
    if (typeof address !== 'string') throw new Error('the discovery document has no jwks_uri');
    const url = new URL(address);
    if (url.protocol !== 'https:' && url.protocol !== new URL(this.issuer).protocol) {
      throw new Error('the jwks_uri is less safe than the issuer: it is no https URL');
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
    if (!response.ok) throw new Error(`the discovery document is answered with ${response.status}`);
    const metadata: unknown = await response.json();
    if (typeof metadata !== 'object' || metadata === null)
      throw new Error('the discovery document is no object');
    return metadata as Record<string, unknown>;
  }
}
