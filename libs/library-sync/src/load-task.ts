import type { CheckedSource, ReadingOptions } from './checked-source.js';
import type { Library } from './checks/check-library.js';
import type { LibraryFinding } from './ports/library-finding.js';
import type { LibrarySource, SourceSignature } from './ports/library-source.js';
import type { LibraryStore } from './ports/library-store.js';
import type { LastLoad } from './library-status.js';
import type { LoadProgress } from './load-report.js';
import type { PathList } from './path-list.js';
import type { PruneMode } from './plan-sync.js';

export interface LoadOptions extends ReadingOptions {
  /** Plans without writing or locking. */
  readonly dryRun: boolean;
  readonly prune: PruneMode;
  /** Skips the load if the source is still at the last load's revision. */
  readonly ifChanged: boolean;
  /** How long to wait for another load to finish, in milliseconds; 0 to fail at once. */
  readonly waitMs: number;
  /** Accepts a destination owned by a source of another origin. */
  readonly takeOver?: boolean;
  /** The source is an earlier load. Later loads with `ifChanged` skip the revision that was rolled back. */
  readonly isRollback?: boolean;
  /** For a rollback: number of the load that it restores. */
  readonly restores?: number | undefined;
  /** For a rollback: the last load when the one to restore was chosen. Fails if another has finished or begun since. */
  readonly lastLoad?: Pick<LastLoad, 'load' | 'pending'> | undefined;
  /** For a rollback: what the restored load recorded, including nodes that it kept although its source did not have them. */
  readonly restored?: PathList | undefined;
  /** That of the restored load, verified when it was loaded. */
  readonly signature?: SourceSignature | undefined;
  /**
   * For a repair: number of the load whose content the source has. What others changed is restored, and nothing is removed.
   * Skipped unless this is still the last load and no other one is pending.
   */
  readonly repairs?: number;
}

/** @returns problems of a library that was read; one that is an error stops the load */
export type LibraryCheck = (library: Library) => Promise<readonly LibraryFinding[]>;

/** Identity, clock and callbacks of one run. */
export interface LoadRun {
  /** Unique per run. */
  readonly id: string;
  /** For messages: user, host and process. */
  readonly by: string;
  readonly now: () => Date;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: LoadProgress) => void) | undefined;
  /** Finds problems that the library's own checks cannot, before anything is written. */
  readonly check?: LibraryCheck | undefined;
  /** Called with what the load wrote, to keep a copy for rollback. */
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
