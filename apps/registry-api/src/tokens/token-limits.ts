import { selectsAll } from '@svc/client-metadata';
import { PreparedStatement } from '../database/prepared-statement.js';
import type { Transaction } from '../database/transaction.js';
import type { RegistryPrincipal } from '../http/registry-principal.js';
import { tooManyDescendants, tooManyTokens } from './token.errors.js';
import { lineOf, LIVING } from './tokens.repository.js';

/** Token holders number in the tens; more than this is a program error. */
export const MAX_TOKENS = 1_000;

/** Those that descend from one caller with a selector. */
export const MAX_DESCENDANTS = 100;

/** Usable tokens, and how many of them were not created with a token that has a selector. `$1` the time */
const COUNT_LIVING = new PreparedStatement<{ total: number; byOthers: number }>(
  'api_tokens_count_living',
  `SELECT count(*)::int AS total, (count(*) FILTER (WHERE creator.selector IS NULL))::int AS "byOthers"
   FROM api_token t LEFT JOIN api_token creator ON creator.id = t.created_by WHERE ${LIVING}`,
);

/**
 * The usable tokens in the line of `$2`: counted from the first token with a selector above it, or else each token that it
 * creates could have as many again. `$1` the time `$3` issuer
 */
const COUNT_LINE = new PreparedStatement<{ count: number }>(
  'api_tokens_count_line',
  `WITH RECURSIVE above AS (
     SELECT $2::text COLLATE "C" AS id, 0 AS distance
     UNION ALL
     SELECT creator.id, above.distance + 1
     FROM above JOIN api_token made ON made.id = above.id JOIN api_token creator ON creator.id = made.created_by
     WHERE creator.selector IS NOT NULL
   ), ${lineOf('(SELECT id FROM above ORDER BY distance DESC LIMIT 1)', '$3')}
   SELECT count(*)::int AS count FROM api_token t JOIN line USING (id) WHERE ${LIVING}`,
);

/**
 * Limits how many tokens can be used at a time. What callers with a selector create has a limit of its own, so that none of
 * them can keep all others from creating tokens.
 *
 * @throws {RegistryError} `too_many_tokens`
 */
export async function assertMayCreateToken(
  transaction: Transaction,
  { id, issuer, selector }: Pick<RegistryPrincipal, 'id' | 'issuer' | 'selector'>,
  now: Date,
): Promise<void> {
  const [living] = await COUNT_LIVING.run(transaction, [now]);
  const count = selectsAll(selector) ? living?.byOthers : living?.total;
  if ((count ?? 0) >= MAX_TOKENS) throw tooManyTokens(MAX_TOKENS);
  if (selectsAll(selector)) return;
  const [line] = await COUNT_LINE.run(transaction, [now, id, issuer ?? null]);
  if ((line?.count ?? 0) >= MAX_DESCENDANTS) throw tooManyDescendants(MAX_DESCENDANTS);
}
