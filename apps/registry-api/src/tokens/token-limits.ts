import { selectsAll } from '@svc/client-metadata';
import { PreparedStatement } from '../database/prepared-statement.js';
import type { Transaction } from '../database/transaction.js';
import type { RegistryPrincipal } from '../http/registry-principal.js';
import { tooManyDescendants, tooManyTokens } from './token.errors.js';
import { lineCte, LIVING } from './tokens.repository.js';

/** Token holders number in the tens; more than this is a program error. */
export const MAX_TOKENS = 1_000;

/** Those that descend from one caller that reaches only some Clients. */
export const MAX_DESCENDANTS = 100;

/** For `api_token t LEFT JOIN api_token creator`: whether a caller that reaches only some Clients created `t`. */
const IS_BY_RESTRICTED = '(creator.selector IS NOT NULL OR t.by_restricted_user)';

/** Usable tokens, and how many of them unrestricted callers created. `$1` the time */
const COUNT_LIVING = new PreparedStatement<{ total: number; byUnrestricted: number }>(
  'api_tokens_count_living',
  `SELECT count(*)::int AS total, (count(*) FILTER (WHERE NOT ${IS_BY_RESTRICTED}))::int AS "byUnrestricted"
   FROM api_token t LEFT JOIN api_token creator ON creator.id = t.created_by WHERE ${LIVING}`,
);

/** What an issuer's user creates while it reaches all Clients does not count for the time when it reaches only some. */
const OF_RESTRICTED = '(issuer IS NULL OR by_restricted_user)';

/**
 * The usable tokens that descend from the first restricted caller in the line of `$2`: if each counted only its own
 * descendants, each token that it creates could have as many again. `$1` the time `$3` issuer
 */
const COUNT_LINE = new PreparedStatement<{ count: number }>(
  'api_tokens_count_line',
  `WITH RECURSIVE above AS (
     SELECT $2::text AS id, $3::text AS issuer, 0 AS distance
     UNION ALL
     SELECT t.created_by, t.issuer, above.distance + 1
     FROM above JOIN api_token t ON t.id = above.id LEFT JOIN api_token creator ON creator.id = t.created_by
     WHERE ${IS_BY_RESTRICTED}
   ), first AS (
     SELECT id, issuer FROM above ORDER BY distance DESC LIMIT 1
   ), ${lineCte('(SELECT id FROM first)', '(SELECT issuer FROM first)', OF_RESTRICTED)}
   SELECT count(*)::int AS count FROM api_token t JOIN line USING (id) WHERE ${LIVING}`,
);

/**
 * Limits how many tokens can be used at a time. What descends from a restricted caller has a limit of its own, so that none of
 * them can keep others from creating tokens.
 *
 * @throws {RegistryError} `too_many_tokens`
 */
export async function assertMayCreateToken(
  transaction: Transaction,
  { id, issuer, selector }: Pick<RegistryPrincipal, 'id' | 'issuer' | 'selector'>,
  now: Date,
): Promise<void> {
  const [living] = await COUNT_LIVING.run(transaction, [now]);
  const count = selectsAll(selector) ? living?.byUnrestricted : living?.total;
  if ((count ?? 0) >= MAX_TOKENS) throw tooManyTokens(MAX_TOKENS);
  if (selectsAll(selector)) return;
  const [line] = await COUNT_LINE.run(transaction, [now, id, issuer ?? null]);
  if ((line?.count ?? 0) >= MAX_DESCENDANTS) throw tooManyDescendants(MAX_DESCENDANTS);
}
