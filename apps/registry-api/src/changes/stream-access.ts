import { Readable } from 'node:stream';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { decodeJwt } from 'jose';
import { DataSource } from 'typeorm';
import { isConnectionError } from '../database/database-errors.js';
import { PreparedStatement } from '../database/prepared-statement.js';
import type { Transaction } from '../database/transaction.js';
import { hasErrorCode, RegistryError } from '../errors/registry-error.js';
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

/** A row if the token may still do what it has begun: its last use ends it, but not what that use began. `$1` hash `$2` the time */
const MAY_CONTINUE_TEXT = `SELECT true AS "mayContinue" FROM api_token
   WHERE hash = $1 AND (expires_at IS NULL OR expires_at > $2 OR uses >= max_uses)`;
const MAY_CONTINUE = new PreparedStatement<{ mayContinue: boolean }>(
  'api_tokens_may_continue',
  MAY_CONTINUE_TEXT,
  'current',
);

/** The same; the token is not revoked before the transaction ends. */
const MAY_COMMIT = new PreparedStatement<{ mayContinue: boolean }>(
  'api_tokens_may_commit',
  `${MAY_CONTINUE_TEXT} FOR SHARE`,
);

/** How often the token of a long response is checked. */
const CHECK_MS = 1_000;

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

  /**
   * For a request that takes long.
   *
   * @param on the transaction in which it must not commit without the token
   * @throws {RegistryError} `token_invalid` if the token was revoked or has expired since the request began
   */
  async assertValid(
    token: StreamToken,
    scopes: readonly string[],
    on: DataSource | Transaction = this.dataSource,
  ): Promise<void> {
    const mayContinue = on === this.dataSource ? MAY_CONTINUE : MAY_COMMIT;
    const hasEnded =
      token.expiresAt === undefined
        ? (await mayContinue.run(on, [hashTokenValue(token.value), new Date()])).length === 0
        : await this.hasEnded(token, scopes);
    if (hasEnded) {
      throw new RegistryError(
        'token_invalid',
        'the token was revoked or has expired since the request began',
      );
    }
  }

  /** A long response, which fails within a second of its token's end. During an outage of the database it continues. */
  whileValid(content: Readable, token: StreamToken, scopes: readonly string[]): Readable {
    const checked = Readable.from(this.checked(content, token, scopes), { objectMode: false });
    // Also if it was never read.
    return checked.once('close', () => content.destroy());
  }

  private async *checked(
    content: AsyncIterable<Buffer>,
    token: StreamToken,
    scopes: readonly string[],
  ): AsyncGenerator<Buffer, void> {
    let checkedAt = performance.now();
    for await (const chunk of content) {
      if (performance.now() - checkedAt >= CHECK_MS) {
        await this.assertValid(token, scopes).catch(ignoreOutage);
        checkedAt = performance.now();
      }
      yield chunk;
    }
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

function ignoreOutage(error: unknown): void {
  if (!isConnectionError(error)) throw error;
}
