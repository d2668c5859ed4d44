import { USES_SECRETS } from '../clients/list/filter-conditions.js';

/** Upper limits of ages. What is older than all of them is counted separately. */
export const AGES_IN_DAYS = [1, 7, 30, 90, 365] as const;

/** Upper limits of the time until secrets expire. */
export const SOON_IN_DAYS = [1, 7, 30] as const;

/** Clients with the same state and warnings. */
export interface FacetCount {
  readonly clients: number;
  readonly enabled: boolean;
  readonly warnings: readonly string[] | null;
}

/** Clients by their last use. */
export interface UsageCounts {
  /** Last used within each of `AGES_IN_DAYS`. */
  readonly used: readonly number[];
  readonly never: number;
  readonly refused: number;
}

/** Currently valid secrets of clients that use them. */
export interface SecretCounts {
  readonly secrets: number;
  /** Last used within each of `AGES_IN_DAYS`. */
  readonly used: readonly number[];
  /** Never used. */
  readonly never: number;
  /** With the hash of another product. */
  readonly foreign: number;
  /** That expire within each of `SOON_IN_DAYS`. */
  readonly expiring: readonly number[];
}

/** Labels and managers listed. */
const MOST_LISTED = 100;

const agesOf = (column: string) =>
  AGES_IN_DAYS.map((days) => `count(*) FILTER (WHERE ${column} > now() - interval '${days} days')`);
const endsOf = (column: string) =>
  SOON_IN_DAYS.map((days) => `count(*) FILTER (WHERE ${column} <= now() + interval '${days} days')`);

/** A statement that counts. */
export interface Count<Row> {
  readonly name: string;
  /** @param reached the condition on `client c` that the caller reaches it */
  readonly text: (reached: string) => string;
  /** The type of the rows, for the compiler only. */
  readonly row?: Row;
}

/*
 * Each of these scans a whole index or table, which takes about a second for a million clients, so the result is cached.
 */

export const FACET_COUNTS: Count<FacetCount> = {
  name: 'stats_of_facets',
  text: (reached) =>
    `SELECT n.clients, one.enabled, one.warnings
     FROM (SELECT c.facet, count(*)::int AS clients FROM client c WHERE ${reached} GROUP BY c.facet) n
     CROSS JOIN LATERAL (SELECT o.enabled, o.warnings FROM client o WHERE o.facet = n.facet LIMIT 1) one`,
};

/** Clients registered within each of `AGES_IN_DAYS`. */
export const AGE_COUNTS: Count<{ registered: number[] }> = {
  name: 'stats_of_ages',
  text: (reached) =>
    `SELECT json_build_array(${agesOf('c.created_at').join(', ')}) AS registered FROM client c
     WHERE c.created_at > now() - interval '${AGES_IN_DAYS.at(-1)} days' AND ${reached}`,
};

export const PENDING_COUNT: Count<{ pending: number }> = {
  name: 'stats_of_pending',
  text: (reached) => `SELECT count(*)::int AS pending FROM client c WHERE c.pending AND ${reached}`,
};

/** Without joins, which take hours if PostgreSQL's statistics say that there are hardly any clients. */
export const USAGE_COUNTS: Count<UsageCounts> = {
  name: 'stats_of_usage',
  text: (reached) =>
    `SELECT (count(*) FILTER (WHERE l.at IS NULL))::int AS never,
            (count(*) FILTER (WHERE l.refused_at > now() - interval '1 day'))::int AS refused,
            json_build_array(${agesOf('l.at').join(', ')}) AS used
     FROM (
       SELECT max(at) AS at, max(refused_at) AS refused_at FROM (
         SELECT c.client_id, true AS is_reached, NULL::timestamptz AS at, NULL::timestamptz AS refused_at
         FROM client c WHERE ${reached}
         UNION ALL SELECT client_id, false, used_at, refused_at FROM client_last_use
         UNION ALL SELECT client_id, false, last_used_at, NULL FROM client_secret
       ) uses GROUP BY client_id HAVING bool_or(is_reached)
     ) l`,
};

export const SECRET_COUNTS: Count<SecretCounts> = {
  name: 'stats_of_secrets',
  text: (reached) =>
    `SELECT count(*)::int AS secrets, (count(*) FILTER (WHERE s.last_used_at IS NULL))::int AS never,
            count(s.foreign_hash)::int AS "foreign",
            json_build_array(${agesOf('s.last_used_at').join(', ')}) AS used,
            json_build_array(${endsOf('s.expires_at').join(', ')}) AS expiring
     FROM client_secret s JOIN client c USING (client_id)
     WHERE c.${USES_SECRETS} AND (s.expires_at IS NULL OR s.expires_at > now())
       AND (s.foreign_until IS NULL OR s.foreign_until > now()) AND ${reached}`,
};

/** The most frequent labels. */
export const LABEL_COUNTS: Count<{ key: string; value: string; clients: number }> = {
  name: 'stats_of_labels',
  text: (reached) =>
    `SELECT l.key, l.value, count(*)::int AS clients FROM client c CROSS JOIN LATERAL jsonb_each_text(c.labels) l
     WHERE c.labels <> '{}' AND ${reached}
     GROUP BY l.key, l.value ORDER BY clients DESC, l.key, l.value LIMIT ${MOST_LISTED}`,
};

export const MANAGER_COUNTS: Count<{ managedBy: string | null; clients: number }> = {
  name: 'stats_of_managers',
  text: (reached) =>
    `SELECT c.managed_by AS "managedBy", count(*)::int AS clients FROM client c WHERE ${reached}
     GROUP BY c.managed_by ORDER BY clients DESC, c.managed_by LIMIT ${MOST_LISTED}`,
};
