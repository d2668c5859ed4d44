import type { CheckOptions, Library } from './checks/check-library.js';
import type { LibraryFinding } from './ports/library-finding.js';
import type { LastLoaded, SourceIdentity, SourceSignature } from './ports/library-source.js';
import type { LoadProgress } from './load-report.js';

/** The result of reading and checking a source. */
export interface ReadLibrary {
  /** Valid only if no problem is an error. */
  readonly library: Library;
  readonly problems: readonly LibraryFinding[];
  readonly revision: string;
  /** See `SourceTree.signature`. */
  readonly signature?: SourceSignature | undefined;
  /** See `SourceTree.isOlder`. */
  readonly isOlder?: boolean | undefined;
}

/** Settings that decide whether a source can be loaded. */
export interface ReadingOptions extends CheckOptions {
  /** Name of the node whose version consumers watch; absent for none. */
  readonly versionNode: string | undefined;
  /** gitignore patterns in addition to `.libraryignore`. */
  readonly exclude: readonly string[];
  /** How signatures are verified; absent if they are not. */
  readonly verify?: string | undefined;
}

/** Callbacks and abort signal of a read. */
export interface ReadingRun {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: LoadProgress) => void) | undefined;
  /** See `checkLibrary`. */
  readonly passed?: () => Promise<ReadonlyMap<string, string>>;
  /** See `LibrarySource.read`. */
  readonly lastLoaded?: () => Promise<LastLoaded | undefined>;
}

/**
 * A source that is read and checked outside the caller's thread, because untrusted content may be slow to parse or
 * crash the parser.
 */
export interface CheckedSource extends SourceIdentity {
  /** See `readAndCheck`. */
  readChecked(options: ReadingOptions, run: ReadingRun): Promise<ReadLibrary>;
}
