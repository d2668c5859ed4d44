import { Inject, Injectable, Optional } from '@nestjs/common';
import { decodeJwt } from 'jose';
import { DataSource } from 'typeorm';
import { PreparedStatement } from '../database/prepared-statement.js';
import { hasErrorCode } from '../errors/registry-error.js';
import { CLOCK_TOLERANCE_S, type OidcTokenVerifier } from '../oidc/oidc-token-verifier.js';
import { ACCESS_TOKENS } from '../tokens/token-verifiers.js';
import { hashTokenValue } from '../tokens/tokens.repository.js';

/** The verifier of the issuer's access tokens. */
type AccessTokenVerifier = Pick<OidcTokenVerifier, 'verify'>;

/** Any of which allows following the changes. */
export const FOLLOW_SCOPES = ['clients:read', 'clients:follow'] as const;

/** The valid token that a stream was opened with. */
export interface StreamToken {
  readonly value: string;
  /** When an access token expires, in milliseconds since 1970. Absent for an API token. */
  readonly expiresAt?: number;
}

/** `$1` hashes `$2` the time `$3` scopes */
const VALID = new PreparedStatement<{ hash: Buffer }>(
  'api_tokens_valid',
  `SELECT hash FROM api_token
   WHERE hash = ANY ($1::bytea[]) AND (expires_at IS NULL OR expires_at > $2) AND scopes && $3::text[]`,
  'current',
);

/** Decides whose streams must end. Reads the database, not the token cache, which may lag by a second. */
@Injectable()
export class StreamAccess {
  constructor(
    private readonly dataSource: DataSource,
    @Optional() @Inject(ACCESS_TOKENS) private readonly accessTokens?: AccessTokenVerifier,
  ) {}

  /** @param value a token that has just been accepted @throws {RegistryError} `issuer_unavailable` */
  async identify(value: string): Promise<StreamToken> {
    if (!(await this.accessTokens?.verify(value))) return { value };
    const { exp = 0 } = decodeJwt(value);
    return { value, expiresAt: (exp + CLOCK_TOLERANCE_S) * 1000 };
  }

  /** Whether a stream must end that requires one of these scopes. */
  async hasEnded(token: StreamToken, scopes: readonly string[]): Promise<boolean> {
    if (token.expiresAt === undefined) {
      return (await this.endedApiTokens(new Set([token.value]), scopes)).size > 0;
    }
    return token.expiresAt <= Date.now() || this.isInvalidated(token.value, scopes);
  }

  /** The API tokens among these that were revoked or have expired. */
  async endedApiTokens(
    values: ReadonlySet<string>,
    scopes: readonly string[] = FOLLOW_SCOPES,
  ): Promise<Set<string>> {
    if (values.size === 0) return new Set();
    const hashes = new Map([...values].map((value) => [hashTokenValue(value).toString('hex'), value]));
    const buffers = [...hashes.keys()].map((hash) => Buffer.from(hash, 'hex'));
    const valid = await VALID.run(this.dataSource, [buffers, new Date(), scopes]);
    for (const { hash } of valid) hashes.delete(hash.toString('hex'));
    return new Set(hashes.values());
  }

  /** Whether an access token is no longer valid by the issuer's keys; while the issuer is unavailable, it stays valid. */
  async isInvalidated(value: string, scopes: readonly string[] = FOLLOW_SCOPES): Promise<boolean> {
    try {
      const principal = await this.accessTokens?.verify(value);
      return !scopes.some((scope) => principal?.scopes.includes(scope));
    } catch (error) {
      if (hasErrorCode(error, 'issuer_unavailable')) return false;
      throw error;
    }
  }
}
