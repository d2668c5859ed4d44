import { USES_SECRETS } from '../clients/list/filter-conditions.js';
import { PreparedStatement } from '../database/prepared-statement.js';

/** How long ago something was: at most so many days. What is older than all counts apart. */
export const AGES_IN_DAYS = [1, 7, 30, 90, 365] as const;

/** How soon something will be: in so many days at most. */
export const SOON_IN_DAYS = [1, 7, 30] as const;

/** Clients with the same state and warnings. */
export interface FacetCount {
  readonly clients: number;
  readonly enabled: boolean;
  readonly warnings: readonly string[] | null;
}

/** Secrets that are valid now, of Clients that have a use for them. */
export interface SecretCounts {
  readonly secrets: number;
  /** Found valid within each of `AGES_IN_DAYS`. */
  readonly used: readonly number[];
  /** Never found valid. */
  readonly never: number;
  /** That end within each of `SOON_IN_DAYS`. */
  readonly expiring: readonly number[];
}

const agesOf = (column: string) =>
  AGES_IN_DAYS.map((days) => `count(*) FILTER (WHERE ${column} > now() - interval '${days} days')`);
const endsOf = (column: string) =>
  SOON_IN_DAYS.map((days) => `count(*) FILTER (WHERE ${column} <= now() + interval '${days} days')`);

/*
 * Each of these reads an index or tables from end to end: a second or so for a million Clients, which is why the answer is
 * kept for a while.
 */

export const FACET_COUNTS = new PreparedStatement<FacetCount>(
  'stats_of_facets',
  `SELECT n.clients, one.enabled, one.warnings
   FROM (SELECT facet, count(*)::int AS clients FROM client GROUP BY facet) n
   CROSS JOIN LATERAL (SELECT c.enabled, c.warnings FROM client c WHERE c.facet = n.facet LIMIT 1) one`,
);

/** Clients registered within each of `AGES_IN_DAYS`. */
export const AGE_COUNTS = new PreparedStatement<{ registered: number[] }>(
  'stats_of_ages',
  `SELECT json_build_array(${agesOf('created_at').join(', ')}) AS registered FROM client
   WHERE created_at > now() - interval '${AGES_IN_DAYS.at(-1)} days'`,
);

export const SECRET_COUNTS = new PreparedStatement<SecretCounts>(
  'stats_of_secrets',
  `SELECT count(*)::int AS secrets, (count(*) FILTER (WHERE s.last_used_at IS NULL))::int AS never,
          json_build_array(${agesOf('s.last_used_at').join(', ')}) AS used,
          json_build_array(${endsOf('s.expires_at').join(', ')}) AS expiring
   FROM client_secret s JOIN client c USING (client_id)
   WHERE c.${USES_SECRETS} AND (s.expires_at IS NULL OR s.expires_at > now())`,
);
