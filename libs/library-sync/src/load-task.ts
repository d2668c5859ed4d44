import type { CheckedSource, ReadingOptions } from './checked-source.js';
import type { Library } from './checks/check-library.js';
import type { LibrarySource } from './ports/library-source.js';
import type { LibraryStore } from './ports/library-store.js';
import type { LoadProgress } from './load-report.js';
import type { PruneMode } from './plan-sync.js';

export interface LoadOptions extends ReadingOptions {
  /** Plans and writes nothing; takes no lock. */
  readonly dryRun: boolean;
  readonly prune: PruneMode;
  /** Stops early when the source is at the revision of the last load. */
  readonly ifChanged: boolean;
  /** How long to wait for another load to end, in milliseconds; 0 for not at all. */
  readonly waitMs: number;
  /** Accepts a destination that was loaded from a source of another origin. */
  readonly takeOver?: boolean;
  /** The source is an earlier load: `ifChanged` then ignores the source's current revision. */
  readonly isRollback?: boolean;
}

/** The run of a load: who, when, and what listens. */
export interface LoadRun {
  /** Unique to the run. */
  readonly id: string;
  /** For messages: user, host and process. */
  readonly by: string;
  readonly now: () => Date;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: LoadProgress) => void) | undefined;
  /** Is handed what the destination holds after the load, to keep a copy for rollback. */
  readonly keepCopy?: ((load: number, library: Library) => Promise<void>) | undefined;
}

/** What a load is made of. */
export interface LoadTask {
  readonly source: LibrarySource | CheckedSource;
  readonly store: LibraryStore;
  readonly options: LoadOptions;
  readonly run: LoadRun;
  readonly started: Date;
}
