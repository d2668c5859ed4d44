import type { CheckOptions, Library } from './checks/check-library.js';
import type { LibraryFinding } from './ports/library-finding.js';
import type { SourceIdentity } from './ports/library-source.js';
import type { LoadProgress } from './load-report.js';

/** A source as it was read and checked. */
export interface ReadLibrary {
  /** To be used only if no problem is an error. */
  readonly library: Library;
  readonly problems: readonly LibraryFinding[];
  readonly revision: string;
}

/** What decides whether a source is fit to be loaded. */
export interface ReadingOptions extends CheckOptions {
  /** Name of the node that is raised for the consumers; absent for none. */
  readonly versionNode: string | undefined;
  /** gitignore patterns, besides those of `.libraryignore`. */
  readonly exclude: readonly string[];
}

/** What listens to a reading, and what may stop it. */
export interface ReadingRun {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: LoadProgress) => void) | undefined;
  /** See `checkLibrary`. */
  readonly passed?: () => Promise<ReadonlyMap<string, string>>;
}

/**
 * A source that is checked where it is read: elsewhere than in the caller's thread, since what others wrote may take long to
 * read or hold surprises for its readers.
 */
export interface CheckedSource extends SourceIdentity {
  /** Does what `readAndCheck` does with a `LibrarySource`. */
  readChecked(options: ReadingOptions, run: ReadingRun): Promise<ReadLibrary>;
}
