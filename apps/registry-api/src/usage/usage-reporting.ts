import type { UsageBatch } from '@svc/client-metadata';
import { PreparedStatement } from '../database/prepared-statement.js';
import type { Transaction } from '../database/transaction.js';

/** The longest tolerated gap in recording, in milliseconds; a replica that is killed misses no more than this. */
export const TOLERANCE_MS = 15 * 60_000;

/** Processes per token whose reports are followed. */
export const MAX_REPORTERS = 100;

/** Who reports: a token, or this registry. */
export interface ReportingActor {
  /** Id of its token; empty: this registry. */
  readonly id: string;
  /** The Clients that it reports on: a selector as JSON. */
  readonly scope: string;
}

/** `$1` actor `$2` batch `$3` time. No row: it was counted before. */
const CLAIM_BATCH = new PreparedStatement<{ claimed: number }>(
  'usage_claim_batch',
  `INSERT INTO usage_batch (actor_id, batch_id, at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING 1 AS claimed`,
);

/** `$1` actor `$2` reporter */
const REPORTED_TO = new PreparedStatement<{ reportedTo: Date }>(
  'usage_reported_to',
  `SELECT reported_to AS "reportedTo" FROM usage_reporter WHERE actor_id = $1 AND id = $2 FOR UPDATE`,
);

/** `$1` actor `$2` reporter `$3` scope `$4` end of its interval. No row: the actor has too many reporters. */
const FOLLOW_REPORTER = new PreparedStatement<{ followed: number }>(
  'usage_follow_reporter',
  `INSERT INTO usage_reporter AS r (actor_id, id, scope, reported_to)
   SELECT $1::text, $2::text, $3::text, $4::timestamptz
   WHERE EXISTS (SELECT FROM usage_reporter WHERE actor_id = $1 AND id = $2)
      OR (SELECT count(*) FROM usage_reporter WHERE actor_id = $1) < ${MAX_REPORTERS}
   ON CONFLICT (actor_id, id) DO UPDATE
   SET scope = excluded.scope, reported_to = greatest(r.reported_to, excluded.reported_to)
   RETURNING 1 AS followed`,
);

/** `$1` actor `$2` reporter */
const END_REPORTER = new PreparedStatement<never>(
  'usage_end_reporter',
  'DELETE FROM usage_reporter WHERE actor_id = $1 AND id = $2',
);

/** `$1` scope `$2` and `$3` the beginning and the end of what is missing; no more than 400 days */
const MARK_GAP = new PreparedStatement<never>(
  'usage_mark_gap',
  `INSERT INTO usage_gap (day, scope)
   SELECT to_char(day, 'YYYY-MM-DD'), $1::text
   FROM generate_series(
     greatest(date_trunc('day', $2::timestamptz AT TIME ZONE 'UTC'), $3::timestamptz AT TIME ZONE 'UTC' - interval '400 days'),
     $3::timestamptz AT TIME ZONE 'UTC', interval '1 day'
   ) AS day
   ON CONFLICT DO NOTHING`,
);

const RECORDED_TO = new PreparedStatement<{ recordedTo: Date | null }>(
  'usage_recorded_to',
  'SELECT recorded_to AS "recordedTo" FROM usage_recording FOR UPDATE',
);

/** `$1` beginning `$2` end of an interval */
const EXTEND_RECORDING = new PreparedStatement<never>(
  'usage_extend_recording',
  'UPDATE usage_recording SET since = coalesce(since, $1), recorded_to = greatest(recorded_to, $2)',
);

/** Scope of what this registry itself counts. */
export const EVERYTHING = JSON.stringify({ labels: {} });

/** @returns false: it was counted before */
export async function claimBatch(
  { id }: ReportingActor,
  { batch_id }: UsageBatch,
  at: Date,
  transaction: Transaction,
): Promise<boolean> {
  return (await CLAIM_BATCH.run(transaction, [id, batch_id, at])).length > 0;
}

/**
 * Records until when a process has reported, and the days that lack counts.
 *
 * @returns false: too many processes report with this token
 */
export async function noteInterval(
  actor: ReportingActor,
  batch: Omit<UsageBatch, 'rows'>,
  transaction: Transaction,
): Promise<boolean> {
  const { reporter, from, to, is_final: isFinal = false, is_incomplete: isIncomplete = false } = batch;
  const [former] = await REPORTED_TO.run(transaction, [actor.id, reporter]);
  const missedFrom = former && former.reportedTo < new Date(from) ? former.reportedTo : undefined;
  const missing = missedFrom ?? (isIncomplete ? from : undefined);
  if (missing !== undefined)
    await MARK_GAP.run(transaction, [actor.scope, missing, isIncomplete ? to : from]);
  if (isFinal) await END_REPORTER.run(transaction, [actor.id, reporter]);
  else {
    const followed = await FOLLOW_REPORTER.run(transaction, [actor.id, reporter, actor.scope, to]);
    if (followed.length === 0) return false;
  }
  if (actor.id === '' && from !== to) await extendRecording(from, to, transaction);
  return true;
}

/** While no replica counts, days are incomplete. */
async function extendRecording(from: string, to: string, transaction: Transaction): Promise<void> {
  const [row] = await RECORDED_TO.run(transaction, []);
  const recordedTo = row?.recordedTo;
  if (recordedTo && new Date(from).getTime() - recordedTo.getTime() > TOLERANCE_MS) {
    await MARK_GAP.run(transaction, [EVERYTHING, recordedTo, from]);
  }
  await EXTEND_RECORDING.run(transaction, [from, to]);
}
