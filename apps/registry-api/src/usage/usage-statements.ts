import type { ClientUse } from '@svc/client-metadata';
import { LAST_USE_STEP } from '../clients/last-use.js';
import { PreparedStatement } from '../database/prepared-statement.js';

/** Different uses of one Client in one period that are counted apart; further ones are counted together. */
export const MAX_KINDS = { accepted: 150, refused: 50 };

/** Whether the use in this column can take many values. */
const isDetailed = (column: string) => `${column} ?| '{redirect_uri,origin,secret}'::text[]`;

const IS_REFUSED = `(use ? 'refusal')`;

const MAX_OF = `CASE WHEN ${IS_REFUSED} THEN ${MAX_KINDS.refused} ELSE ${MAX_KINDS.accepted} END`;

/** `withoutDetails` of client-metadata in SQL. */
const OTHERS = `(use - '{redirect_uri,origin,difference,secret}'::text[]) || '{"others": true}'`;

/** @param source a CTE with client_id, period, use, count, first_at and last_at; several rows may be alike */
function addFrom(source: string): string {
  return `
    INSERT INTO client_usage AS u (client_id, period, key, use, count, first_at, last_at)
    SELECT client_id, period, sha256(convert_to(use::text, 'UTF8')), use, sum(count), min(first_at), max(last_at)
    FROM ${source} GROUP BY client_id, period, use
    ORDER BY client_id, period
    ON CONFLICT (client_id, period, key) DO UPDATE
    SET count = u.count + excluded.count, first_at = least(u.first_at, excluded.first_at),
        last_at = greatest(u.last_at, excluded.last_at)`;
}

/** `$1` client_ids */
export const COUNTED_CLIENTS = new PreparedStatement<{
  clientId: string;
  createdAt: Date;
  labels: Readonly<Record<string, string>>;
  redirectUris: readonly string[];
  responseTypes: readonly string[];
}>(
  'usage_clients',
  `SELECT client_id AS "clientId", created_at AS "createdAt", labels, metadata->'redirect_uris' AS "redirectUris",
          metadata->'response_types' AS "responseTypes"
   FROM client WHERE client_id = ANY ($1::text[])`,
  'current',
);

/**
 * Joins the Client of a row. Without one, the use is of a deleted Client with the same id, perhaps of another team. Times of
 * use cannot tell them apart: the clocks of replicas differ.
 */
const JOIN_CLIENT =
  'JOIN client c ON c.client_id = g.client_id COLLATE "C" AND c.created_at = g.client_created_at';

/** As `LAST_USE_STEP`, but of refusals. */
const LAST_REFUSAL_STEP = `interval '1 minute'`;

/** Held by one transaction that counts at a time: they change rows in different orders, which would deadlock. */
export const LOCK_COUNTS = new PreparedStatement<{ locked: number }>(
  'usage_lock_counts',
  'SELECT 1 AS locked FROM usage_recording FOR UPDATE',
);

/**
 * `$1` client_ids `$2` periods `$3` keys in hex `$4` counts `$5` first_at `$6` last_at `$7` whether refused `$8` when their
 * Clients were registered. Adds to existing counts. Returns the numbers, from 1, of the rows that have none or whose Client's
 * last use is out of date.
 */
export const ADD_TO_USES = new PreparedStatement<{ number: number; isCounted: boolean }>(
  'usage_add_to',
  `WITH counted AS (
     UPDATE client_usage u
     SET count = u.count + g.count, first_at = least(u.first_at, g.first_at), last_at = greatest(u.last_at, g.last_at)
     FROM (
       SELECT g.*, coalesce(CASE WHEN is_refused THEN l.refused_at + ${LAST_REFUSAL_STEP} ELSE l.used_at + ${LAST_USE_STEP} END < g.last_at,
         true) AS is_stale
       FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::timestamptz[], $6::timestamptz[], $7::boolean[],
         $8::timestamptz[])
         WITH ORDINALITY AS g(client_id, period, key, count, first_at, last_at, is_refused, client_created_at, number)
       ${JOIN_CLIENT}
       LEFT JOIN client_last_use l ON l.client_id = g.client_id COLLATE "C"
     ) g
     WHERE u.client_id = g.client_id COLLATE "C" AND u.period = g.period COLLATE "C" AND u.key = decode(g.key, 'hex')
     RETURNING g.number, g.is_stale
   )
   SELECT given.number::int AS number, counted.number IS NOT NULL AS "isCounted"
   FROM generate_series(1, cardinality($1::text[])) AS given(number) LEFT JOIN counted USING (number)
   WHERE counted.number IS NULL OR counted.is_stale`,
);

/**
 * `$1` client_ids `$2` used_at `$3` refused_at `$4` when they were registered. Notes the last uses, and locks them, always in the
 * same order, so that no replica of a former version adds new counts of these Clients until the transaction ends.
 */
export const TOUCH_CLIENTS = new PreparedStatement<never>(
  'usage_touch_clients',
  `INSERT INTO client_last_use AS l (client_id, used_at, refused_at)
   SELECT g.client_id, g.used_at, g.refused_at
   FROM unnest($1::text[], $2::timestamptz[], $3::timestamptz[], $4::timestamptz[])
     AS g(client_id, used_at, refused_at, client_created_at)
   ${JOIN_CLIENT}
   ORDER BY g.client_id COLLATE "C"
   ON CONFLICT (client_id) DO UPDATE
   SET used_at = greatest(l.used_at, excluded.used_at), refused_at = greatest(l.refused_at, excluded.refused_at)`,
);

/** `$1` JSON list of rows, no two alike. After `TOUCH_CLIENTS` of their Clients, in the same transaction. */
export const ADD_USES = new PreparedStatement<never>(
  'usage_add',
  `WITH given AS MATERIALIZED (
     SELECT g.client_id COLLATE "C" AS client_id, g.period COLLATE "C" AS period, g.use, g.count, g.first_at, g.last_at
     FROM jsonb_to_recordset($1::text::jsonb)
       AS g(client_id text, client_created_at timestamptz, period text, use jsonb, count bigint,
            first_at timestamptz, last_at timestamptz)
     ${JOIN_CLIENT}
   ), known AS MATERIALIZED (
     SELECT u.client_id, u.period, u.use FROM client_usage u
     JOIN (SELECT DISTINCT client_id, period FROM given) g USING (client_id, period) WHERE ${isDetailed('u.use')}
   ), full_periods AS (
     SELECT client_id, period, ${IS_REFUSED} AS is_refused, count(*) AS kinds FROM known GROUP BY 1, 2, 3
   ), sorted AS (
     SELECT g.*, g.use ? 'refusal' AS is_refused, k.use IS NOT NULL OR NOT ${isDetailed('g.use')} AS has_place
     FROM given g LEFT JOIN known k USING (client_id, period, use)
   ), numbered AS (
     SELECT s.*, row_number() OVER (
       PARTITION BY client_id, period, is_refused, has_place ORDER BY count DESC, use
     ) AS place FROM sorted s
   ), placed AS (
     SELECT n.client_id, n.period, n.count, n.first_at, n.last_at,
            CASE WHEN n.has_place OR n.place + coalesce(f.kinds, 0) <= ${MAX_OF} THEN n.use ELSE ${OTHERS} END AS use
     FROM numbered n LEFT JOIN full_periods f USING (client_id, period, is_refused)
   )
   ${addFrom('placed')}`,
);

/** Moves some counts of days before `$1` to their months. `$2` limit. Returns the months. */
export const FOLD_DAYS = new PreparedStatement<{ clientId: string; period: string }>(
  'usage_fold_days',
  `WITH old AS (
     SELECT client_id, period, key FROM client_usage WHERE period < $1 AND length(period) = 10
     ORDER BY period, client_id LIMIT $2 FOR UPDATE SKIP LOCKED
   ), gone AS (
     DELETE FROM client_usage u USING old
     WHERE u.client_id = old.client_id AND u.period = old.period AND u.key = old.key
     RETURNING u.client_id, left(u.period, 7) AS period, u.use, u.count, u.first_at, u.last_at
   ), added AS (${addFrom('gone')} RETURNING 1)
   SELECT DISTINCT client_id AS "clientId", period FROM gone, (SELECT count(*) FROM added) a`,
);

/** `$1` client_ids `$2` their months. Counts what exceeds the limit together, the rarest first. */
export const TRIM_MONTHS = new PreparedStatement<never>(
  'usage_trim_months',
  `WITH ranked AS (
     SELECT u.client_id, u.period, u.key, ${MAX_OF} AS most, row_number() OVER (
       PARTITION BY u.client_id, u.period, ${IS_REFUSED} ORDER BY u.count DESC, u.key
     ) AS place
     FROM client_usage u JOIN unnest($1::text[], $2::text[]) AS m(client_id, period) USING (client_id, period)
     WHERE ${isDetailed('u.use')}
   ), gone AS (
     DELETE FROM client_usage u USING ranked r
     WHERE u.client_id = r.client_id AND u.period = r.period AND u.key = r.key AND r.place > r.most
     RETURNING u.*
   ), merged AS (
     SELECT client_id, period, ${OTHERS} AS use, count, first_at, last_at FROM gone
   )
   ${addFrom('merged')}`,
);

/** `$1` the first day that is kept `$2` limit. A month is kept until its last day is not. */
export const FORGET_USES = new PreparedStatement<{ removed: number }>(
  'usage_forget',
  `WITH old AS (
     SELECT client_id, period, key FROM client_usage
     WHERE period < $1 AND (length(period) = 10 OR period < left($1::text, 7))
     LIMIT $2 FOR UPDATE SKIP LOCKED
   ), gone AS (
     DELETE FROM client_usage u USING old
     WHERE u.client_id = old.client_id AND u.period = old.period AND u.key = old.key RETURNING 1
   )
   SELECT count(*)::int AS removed FROM gone`,
);

/** Uses of a Client, over all periods that begin at `$2` or later. */
export interface CountedUse {
  readonly use: ClientUse;
  readonly count: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
}

/** `$1` client_id `$2` the first period */
export const USES_OF_CLIENT = new PreparedStatement<CountedUse>(
  'usage_of_client',
  `SELECT use, sum(count)::float8 AS count, min(first_at) AS "firstAt", max(last_at) AS "lastAt" FROM client_usage
   WHERE client_id = $1 AND period >= $2 GROUP BY use`,
);

/** Requests and secrets of a Client in one period. */
export interface PeriodCounts {
  readonly period: string;
  readonly accepted: number;
  readonly refused: number;
}

/** `$1` client_id `$2` the first period */
export const PERIODS_OF_CLIENT = new PreparedStatement<PeriodCounts>(
  'usage_periods',
  `SELECT period, coalesce(sum(count) FILTER (WHERE NOT use ? 'refusal'), 0)::float8 AS accepted,
          coalesce(sum(count) FILTER (WHERE use ? 'refusal'), 0)::float8 AS refused
   FROM client_usage WHERE client_id = $1 AND period >= $2 GROUP BY period ORDER BY period`,
);
