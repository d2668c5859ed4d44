import { PreparedStatement } from '../database/prepared-statement.js';
import type { ClientJob, ClientJobItem } from './client-job.entity.js';

/** A job, and the job that undid it. */
export type StoredJob = ClientJob & { readonly undoneBy: string | null };

/** Unfinished jobs of one token. */
export const MAX_OPEN_JOBS = 5;

const SELECT_JOB = `
  SELECT j.id, j.action, j.warning, j.patch, j.filter, j.client_ids AS "clientIds", j.expected_total AS "expectedTotal", j.undoes, j.dry_run AS "dryRun",
         j.state, j.problem, j.since, j.found_until AS "foundUntil", j.total, j.changed, j.unchanged, j.failed, j.attempts,
         j.actor_id AS "actorId", j.actor_name AS "actorName", j.address, j.issuer, j.selector,
         j.created_at AS "createdAt", j.worked_at AS "workedAt", j.finished_at AS "finishedAt",
         (SELECT max(u.id) FROM client_job u WHERE u.undoes = j.id AND NOT u.dry_run) AS "undoneBy"
  FROM client_job j`;

/** Serializes the requests of one token that start jobs, so that they cannot exceed its share. `$1` the token's id */
export const LOCK_ACTOR = new PreparedStatement<never>(
  'client_job_lock_actor',
  `SELECT pg_advisory_xact_lock(hashtextextended('svc-registry jobs of ' || $1, 0))`,
);

/** No row if the token has too many open ones; needs `LOCK_ACTOR`. `$1` JSON object with the columns of the job */
export const CREATE_JOB = new PreparedStatement<{ id: string }>(
  'client_job_create',
  `INSERT INTO client_job (action, warning, patch, filter, client_ids, expected_total, undoes, dry_run, state, since, actor_id, actor_name,
                           address, issuer, selector, created_at, worked_at)
   SELECT g.action, g.warning, g.patch, g.filter, g.client_ids, g.expected_total, g.undoes, g.dry_run, g.state, g.since, g.actor_id,
          g.actor_name, g.address, g.issuer, g.selector, g.created_at, clock_timestamp()
   FROM jsonb_to_record($1::text::jsonb) AS g(action text, warning text, patch jsonb, filter jsonb, client_ids text[],
          expected_total integer, undoes bigint, dry_run boolean, state text, since text, actor_id text, actor_name text, address text,
          issuer text, selector jsonb, created_at timestamptz)
   WHERE (SELECT count(*) FROM client_job o WHERE o.actor_id = g.actor_id AND o.finished_at IS NULL) < ${MAX_OPEN_JOBS}
   RETURNING id`,
);

/** What an undo covers: the Clients that the job `$2` changed, for the job `$1`. */
export const COPY_CHANGED = new PreparedStatement<{ id: string }>(
  'client_job_copy_changed',
  `WITH items AS (
     INSERT INTO client_job_item (job_id, position, client_id, client_name, revision)
     SELECT $1::bigint, row_number() OVER (ORDER BY position) - 1, client_id, client_name, revision_after
     FROM client_job_item WHERE job_id = $2::bigint AND result = 'changed'
     RETURNING 1
   )
   UPDATE client_job SET total = (SELECT count(*) FROM items) WHERE id = $1::bigint RETURNING id`,
);

/** `$1` id */
export const JOB_BY_ID = new PreparedStatement<StoredJob>(
  'client_job_by_id',
  `${SELECT_JOB} WHERE j.id = $1::bigint`,
  'current',
);

/**
 * Latest first. Selectors are compared regardless of the order of their values, in which earlier versions stored them as they
 * came. `$1` the job before which to begin, or null `$2` limit `$3` dry runs, too `$4` to `$6` whose, or null
 */
export const LIST_JOBS = new PreparedStatement<StoredJob>(
  'client_jobs',
  `${SELECT_JOB}
   WHERE ($1::bigint IS NULL OR j.id < $1::bigint) AND ($3::boolean OR NOT j.dry_run)
     AND ($4::text IS NULL
          OR j.actor_id = $4 AND j.issuer IS NOT DISTINCT FROM $5::text
             AND j.selector @> $6::text::jsonb AND j.selector <@ $6::text::jsonb)
   ORDER BY j.id DESC LIMIT $2`,
  'current',
);

/** The open job that has waited longest, except for jobs `$1`. Locks nothing, so that it also runs where nothing can be written. */
export const NEXT_JOB = new PreparedStatement<StoredJob>(
  'client_job_next',
  `${SELECT_JOB} WHERE j.finished_at IS NULL AND j.id <> ALL ($1::bigint[]) ORDER BY j.worked_at, j.id LIMIT 1`,
  'current',
);

/** Locks the job against other replicas until the transaction ends. `$1` id */
export const LOCK_RUNNING_JOB = new PreparedStatement<StoredJob>(
  'client_job_lock',
  `${SELECT_JOB} WHERE j.id = $1::bigint AND j.state = 'running' FOR UPDATE OF j SKIP LOCKED`,
);

/** No row if another replica was faster. `$1` id `$2` found before `$3` found now `$4` how many */
export const ADD_FOUND = new PreparedStatement<{ total: number }>(
  'client_job_found',
  `UPDATE client_job SET found_until = coalesce($3, found_until), total = total + $4, worked_at = clock_timestamp(), attempts = 0
   WHERE id = $1::bigint AND state = 'collecting' AND found_until IS NOT DISTINCT FROM $2
   RETURNING total`,
);

/** `$1` id `$2` the first position `$3` JSON list of the items */
export const INSERT_ITEMS = new PreparedStatement<never>(
  'client_job_items_insert',
  `INSERT INTO client_job_item (job_id, position, client_id, client_name, revision)
   SELECT $1::bigint, $2::integer + g.position, g.client_id, g.client_name, g.revision
   FROM jsonb_to_recordset($3::text::jsonb) AS g(position integer, client_id text, client_name text, revision text)`,
);

/** `$1` id */
export const START_RUNNING = new PreparedStatement<never>(
  'client_job_start',
  `UPDATE client_job SET state = 'running' WHERE id = $1::bigint AND state = 'collecting'`,
);

/** `$1` id `$2` the first position `$3` limit */
export const NEXT_ITEMS = new PreparedStatement<ClientJobItem>(
  'client_job_items_next',
  `SELECT position, client_id AS "clientId", client_name AS "clientName", revision FROM client_job_item
   WHERE job_id = $1::bigint AND position >= $2 ORDER BY position LIMIT $3`,
);

/** `$1` id `$2` JSON list of results */
export const STORE_RESULTS = new PreparedStatement<never>(
  'client_job_items_results',
  `UPDATE client_job_item i
   SET result = g.result, revision_after = g.revision_after, problem = g.problem, difference = g.difference
   FROM jsonb_to_recordset($2::text::jsonb)
     AS g(position integer, result text, revision_after text, problem jsonb, difference jsonb)
   WHERE i.job_id = $1::bigint AND i.position = g.position`,
);

/** `$1` id `$2` changed `$3` unchanged `$4` failed, as increments */
export const COUNT_RESULTS = new PreparedStatement<never>(
  'client_job_count',
  `UPDATE client_job SET changed = changed + $2, unchanged = unchanged + $3, failed = failed + $4, worked_at = clock_timestamp(), attempts = 0
   WHERE id = $1::bigint`,
);

/** `$1` id `$2` state `$3` problem, or null `$4` time */
export const END_JOB = new PreparedStatement<{ id: string }>(
  'client_job_end',
  `UPDATE client_job SET state = $2, problem = $3::text::jsonb, finished_at = $4
   WHERE id = $1::bigint AND finished_at IS NULL RETURNING id`,
);

/** `$1` id `$2` whether it counts as an attempt */
export const COUNT_FAILURE = new PreparedStatement<{ attempts: number }>(
  'client_job_count_failure',
  `UPDATE client_job SET attempts = attempts + $2::boolean::integer, worked_at = clock_timestamp()
   WHERE id = $1::bigint AND finished_at IS NULL RETURNING attempts`,
);

/** `$1` id `$2` the position after which to begin `$3` the result, or null for all `$4` limit */
export const LIST_ITEMS = new PreparedStatement<ClientJobItem>(
  'client_job_items',
  `SELECT position, client_id AS "clientId", client_name AS "clientName", result, revision_after AS "revisionAfter",
          problem, difference
   FROM client_job_item
   WHERE job_id = $1::bigint AND position > $2 AND ($3::text IS NULL OR coalesce(result, 'pending') = $3)
   ORDER BY position LIMIT $4`,
  'current',
);

/** `$1` the time from which jobs are kept `$2` the same for dry runs. One at a time, with its results. */
export const PRUNE_JOB = new PreparedStatement<{ id: string }>(
  'client_job_prune',
  `WITH old AS (
     SELECT id FROM client_job WHERE finished_at < $1 OR dry_run AND finished_at < $2
     ORDER BY finished_at LIMIT 1 FOR UPDATE SKIP LOCKED
   )
   DELETE FROM client_job j USING old WHERE j.id = old.id RETURNING j.id`,
);
