import type { LibraryFinding } from './ports/library-finding.js';
import type { SourceSignature } from './ports/library-source.js';
import type { SyncPlan } from './plan-sync.js';

/** One line of a plan, for dry runs and diffs. */
export interface PlannedChange {
  readonly action: 'create' | 'update' | 'remove';
  readonly kind: 'file' | 'folder';
  readonly path: string;
}

/** What a load did, or would do with `dry_run`. Property names are those of the HTTP response. */
export interface LoadReport extends Partial<SourceSignature> {
  readonly source: string;
  readonly revision: string;
  readonly destination: string;
  readonly dry_run: boolean;
  /** False if the library was up to date, so that none of its nodes were written. */
  readonly changed: boolean;
  /** True if `--if-changed` found the revision unchanged, so that nothing was read. */
  readonly skipped: boolean;
  /** Number of the last finished load; 0 before the first. */
  readonly load: number;
  /**
   * Number of an interrupted load that this one completed or, with `dry_run`, would complete; the version is then incremented even
   * if not `changed`.
   */
  readonly completed?: number;
  /** Value of the version node, if there is one. */
  readonly version?: string;
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
  readonly unchanged: number;
  /** Bytes written to the library, or to be written with `dry_run`. */
  readonly bytes: number;
  readonly seconds: number;
  /** Warnings and notes about the source. */
  readonly problems: readonly LibraryFinding[];
  /** Nodes neither in the source nor written by a load: left alone. */
  readonly foreign: readonly string[];
  /** Nodes kept because of `--no-prune` or because of others' nodes below them. */
  readonly kept: readonly string[];
  /** The unreadable nodes among `foreign` and `kept`. */
  readonly unreadable: readonly string[];
  /** The plan; only with `dry_run`. */
  readonly changes?: readonly PlannedChange[];
}

/** A load's progress, for progress bars and streams. */
export interface LoadProgress {
  readonly phase: 'reading' | 'checking' | 'waiting' | 'comparing' | 'writing';
  /** Nodes written so far; only while `writing`. */
  readonly done?: number;
  readonly total?: number;
}

/** An empty report. */
export const EMPTY_REPORT: LoadReport = {
  source: '',
  revision: '',
  destination: '',
  dry_run: false,
  changed: false,
  skipped: false,
  load: 0,
  created: 0,
  updated: 0,
  deleted: 0,
  unchanged: 0,
  bytes: 0,
  seconds: 0,
  problems: [],
  foreign: [],
  kept: [],
  unreadable: [],
};

type PlanCounts =
  'created' | 'updated' | 'deleted' | 'unchanged' | 'bytes' | 'foreign' | 'kept' | 'unreadable';

/** The report's counts, derived from the plan. */
export function countPlan(plan: SyncPlan): Pick<LoadReport, PlanCounts> {
  const counts = { create: 0, update: 0, remove: 0 };
  let bytes = 0;
  for (const step of plan.steps) {
    counts[step.action] += 1;
    bytes += step.data.length * (1 + (step.raises ?? 0));
  }
  return {
    created: counts.create,
    updated: counts.update,
    deleted: counts.remove,
    unchanged: plan.unchanged,
    bytes,
    foreign: plan.foreign,
    kept: plan.kept,
    unreadable: plan.unreadable,
  };
}
