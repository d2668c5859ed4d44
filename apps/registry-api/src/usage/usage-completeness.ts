import { type ClientSelector, selects, type SelectableClient } from '@svc/client-metadata';
import type { DataSource } from 'typeorm';
import { PreparedStatement } from '../database/prepared-statement.js';
import { dayOf } from '../settings/registry-settings.js';
import { TOLERANCE_MS } from './usage-reporting.js';

const DAY_MS = 24 * 3_600_000;

/** A reporter of another server that is silent for longer than this counts as killed. */
const PRESUMED_DEAD_MS = DAY_MS;

/** How long a batch is remembered: longer than a reporter may repeat it. */
export const BATCH_MEMORY_MS = 2 * DAY_MS;

const RECORDING = new PreparedStatement<{ since: Date | null; recordedTo: Date | null }>(
  'usage_recording',
  'SELECT since, recorded_to AS "recordedTo" FROM usage_recording',
);

/** `$1` the first day */
const GAPS = new PreparedStatement<{ day: string; scope: string }>(
  'usage_gaps',
  'SELECT day, scope FROM usage_gap WHERE day >= $1',
);

interface SilentReporter {
  readonly actorId: string;
  readonly scope: string;
  readonly reportedTo: Date;
}

/** `$1` silent since before */
const SILENT_REPORTERS = new PreparedStatement<SilentReporter>(
  'usage_silent_reporters',
  `SELECT actor_id AS "actorId", scope, reported_to AS "reportedTo" FROM usage_reporter WHERE reported_to < $1`,
);

/** Which days of the record lack counts. */
export class UsageCompleteness {
  private constructor(
    /** Since when uses are counted; null: never. */
    readonly since: Date | null,
    private readonly gaps: readonly { readonly day: string; readonly selector: ClientSelector }[],
  ) {}

  /** @param first a day, as in 2026-11-24 */
  static async read(dataSource: DataSource, first: string, now: Date): Promise<UsageCompleteness> {
    const silentBefore = new Date(now.getTime() - TOLERANCE_MS);
    const [[recording], gaps, silent] = await Promise.all([
      RECORDING.run(dataSource, []),
      GAPS.run(dataSource, [first]),
      SILENT_REPORTERS.run(dataSource, [silentBefore]),
    ]);
    const { since = null, recordedTo = null } = recording ?? {};
    const all: ClientSelector = { labels: {} };
    const unrecorded = recordedTo && recordedTo < silentBefore ? daysBetween(recordedTo, now) : [];
    return new UsageCompleteness(since, [
      ...gaps.map(({ day, scope }) => ({ day, selector: JSON.parse(scope) as ClientSelector })),
      ...unrecorded.map((day) => ({ day, selector: all })),
      ...silent.flatMap((reporter) =>
        missingDays(reporter, now).map((day) => ({
          day,
          selector: JSON.parse(reporter.scope) as ClientSelector,
        })),
      ),
    ]);
  }

  /** The incomplete days of those from `first` to `last`, in order. The current day is never complete. */
  incompleteDays(client: SelectableClient, first: string, last: string, now: Date): string[] {
    const missing = new Set(
      this.gaps.filter(({ selector }) => selects(selector, client)).map(({ day }) => day),
    );
    // During an update, replicas of a version that does not count may serve for a while.
    const begun = this.since && dayOf(new Date(this.since.getTime() + 3_600_000));
    const today = dayOf(now);
    return daysBetween(new Date(first), new Date(last)).filter(
      (day) => begun === null || day <= begun || day >= today || missing.has(day),
    );
  }
}

/**
 * A replica of this registry that is silent was killed, and lost its latest counts. Another server may keep
 * deciding while it cannot report, so it has a day to catch up before it counts as killed.
 */
function missingDays({ actorId, reportedTo }: SilentReporter, now: Date): string[] {
  const isDead = actorId === '' || now.getTime() - reportedTo.getTime() > PRESUMED_DEAD_MS;
  return daysBetween(reportedTo, isDead ? new Date(reportedTo.getTime() + TOLERANCE_MS) : now);
}

/** Keeps the days that killed reporters left incomplete, and forgets the reporters. `$1` silent since before */
const BURY_REPORTERS = new PreparedStatement<never>(
  'usage_bury_reporters',
  `WITH dead AS (DELETE FROM usage_reporter WHERE reported_to < $1 RETURNING scope, reported_to)
   INSERT INTO usage_gap (day, scope)
   SELECT DISTINCT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD'), scope
   FROM dead, unnest(ARRAY[reported_to, reported_to + interval '${TOLERANCE_MS} ms']) AS at
   ON CONFLICT DO NOTHING`,
);

/** `$1` claimed before */
const FORGET_BATCHES = new PreparedStatement<never>(
  'usage_forget_batches',
  'DELETE FROM usage_batch WHERE at < $1',
);

/** `$1` the first day that is kept */
const FORGET_GAPS = new PreparedStatement<never>('usage_forget_gaps', 'DELETE FROM usage_gap WHERE day < $1');

/** @param keptFrom the first day that is kept */
export async function forgetReporting(dataSource: DataSource, now: Date, keptFrom: string): Promise<void> {
  await BURY_REPORTERS.run(dataSource, [new Date(now.getTime() - PRESUMED_DEAD_MS)]);
  await FORGET_BATCHES.run(dataSource, [new Date(now.getTime() - BATCH_MEMORY_MS)]);
  await FORGET_GAPS.run(dataSource, [keptFrom]);
}

/** Both included. */
export function daysBetween(from: Date, to: Date): string[] {
  const last = dayOf(to);
  const days: string[] = [];
  for (let at = from.getTime(); dayOf(new Date(at)) <= last; at += DAY_MS) days.push(dayOf(new Date(at)));
  return days;
}
