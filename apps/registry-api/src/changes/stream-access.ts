import { Inject, Injectable, Optional } from '@nestjs/common';
import type { TokenVerifier } from '@svc/service-kit';
import { DataSource } from 'typeorm';
import { PreparedStatement } from '../database/prepared-statement.js';
import { ACCESS_TOKENS } from '../oidc/any-token-verifier.js';
import { hashTokenValue } from '../tokens/token-value.js';

/** The scope whose holders may follow the changes. */
export const FOLLOW_SCOPE = 'clients:read';

/** `$1` hashes `$2` the time `$3` a scope */
const VALID = new PreparedStatement<{ hash: Buffer }>(
  'api_tokens_valid',
  `SELECT hash FROM api_token
   WHERE hash = ANY ($1::bytea[]) AND (expires_at IS NULL OR expires_at > $2) AND $3 = ANY (scopes)`,
);

/** Knows whose streams must end. The database is asked, not the memory of tokens: that may lag by a second. */
@Injectable()
export class StreamAccess {
  constructor(
    private readonly dataSource: DataSource,
    @Optional() @Inject(ACCESS_TOKENS) private readonly accessTokens?: TokenVerifier,
  ) {}

  /** Those of the tokens that were revoked or have expired. */
  async ended(tokens: ReadonlySet<string>): Promise<Set<string>> {
    const hashes = new Map([...tokens].map((token) => [hashTokenValue(token).toString('hex'), token]));
    const buffers = [...hashes.keys()].map((hash) => Buffer.from(hash, 'hex'));
    const valid = await VALID.run(this.dataSource, [buffers, new Date(), FOLLOW_SCOPE]);
    for (const { hash } of valid) hashes.delete(hash.toString('hex'));
    const ended = new Set<string>();
    for (const token of hashes.values()) {
      const principal = await this.accessTokens?.verify(token);
      if (!principal?.scopes.includes(FOLLOW_SCOPE)) ended.add(token);
    }
    return ended;
  }
}
