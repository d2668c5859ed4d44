import type { LibraryFinding } from './ports/library-finding.js';
import type { SyncPlan } from './plan-sync.js';

/** One line of a plan, for dry runs and diffs. */
export interface PlannedChange {
  readonly action: 'create' | 'update' | 'remove';
  readonly kind: 'file' | 'folder';
  readonly path: string;
}

/** What a load did, or with `dry_run` would do. Member names are those of the HTTP answer. */
export interface LoadReport {
  readonly source: string;
  readonly revision: string;
  readonly destination: string;
  readonly dry_run: boolean;
  /** False when the library was as it should be: then no node of it was written. */
  readonly changed: boolean;
  /** True when `--if-changed` found the revision of the last load, and nothing was read. */
  readonly skipped: boolean;
  /** Number of the load that the library stands at; 0 before the first. */
  readonly load: number;
  /** Number of a load that was cut off, when this one completed it: then the version is raised, `changed` or not. */
  readonly completed?: number;
  /** Value of the version node; absent when there is none. */
  readonly version?: string;
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
  readonly unchanged: number;
  /** Bytes written to the library, or with `dry_run` to be written. */
  readonly bytes: number;
  readonly seconds: number;
  /** Warnings and notes about the source. */
  readonly problems: readonly LibraryFinding[];
  /** Stored, not in the source and not put there by a load: left alone. */
  readonly foreign: readonly string[];
  /** Would have been removed, but for `--no-prune` or others' nodes below them. */
  readonly kept: readonly string[];
  /** Those of `foreign` and `kept` that may not be read. */
  readonly unreadable: readonly string[];
  /** The plan; only with `dry_run`. */
  readonly changes?: readonly PlannedChange[];
}

/** A load's progress, for progress bars and streams. */
export interface LoadProgress {
  readonly phase: 'reading' | 'checking' | 'waiting' | 'comparing' | 'writing';
  /** Nodes written and nodes to write; only while `writing`. */
  readonly done?: number;
  readonly total?: number;
}

/** A report of nothing. */
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

/** The part of a report that follows from the plan. */
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
