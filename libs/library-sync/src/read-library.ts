import { checkLibrary, contentHash, type CheckOptions, type Library } from './checks/check-library.js';
import { createEntryFilter } from './checks/ignore-rules.js';
import { InvalidLibraryError, type LibraryProblem } from './library-problem.js';
import type { LibrarySource } from './library-source.js';
import type { LoadOptions, LoadRun } from './load-task.js';

/** A source as it was read: checked, and without errors. */
export interface ReadLibrary {
  readonly library: Library;
  /** Warnings and notes. */
  readonly problems: readonly LibraryProblem[];
  readonly revision: string;
}

/** What decides whether a source is fit to be loaded. */
export interface ReadingOptions extends CheckOptions, Pick<LoadOptions, 'versionNode' | 'exclude'> {}

/** Whom to tell how it goes, and what may stop it. */
export interface ReadingRun extends Pick<LoadRun, 'onProgress' | 'signal'> {
  /** See `checkLibrary`. */
  readonly passed?: () => Promise<ReadonlyMap<string, string>>;
}

/** @throws {InvalidLibraryError} | {SourceUnreachableError}, and what `passed` throws */
export async function readLibrary(
  source: LibrarySource,
  options: ReadingOptions,
  run: ReadingRun,
): Promise<ReadLibrary> {
  const read = await readAndCheck(source, options, run);
  refuseErrors(read.problems);
  return read;
}

/**
 * Reads a source and checks everything that can be checked without a destination.
 *
 * @returns the library, to be used only if no problem is an error
 * @throws {SourceUnreachableError}
 */
export async function readAndCheck(
  source: LibrarySource,
  options: ReadingOptions,
  { onProgress, signal, passed }: ReadingRun,
): Promise<ReadLibrary> {
  onProgress?.({ phase: 'reading' });
  let notes: LibraryProblem[] = [];
  const tree = await source.read(
    (ignoreFile) => createEntryFilter(ignoreFile, options.exclude, (notes = [])),
    signal,
    options.maxBytes,
  );
  onProgress?.({ phase: 'checking' });
  const { library, problems } = await checkLibrary(tree.entries, options, signal, await passed?.());
  const { versionNode } = options;
  if (versionNode !== undefined && (library.files.has(versionNode) || library.folders.has(versionNode))) {
    problems.push({ ...VERSION_NODE_TAKEN, path: versionNode });
  }
  return { library, problems: [...problems, ...notes], revision: tree.revision };
}

/** @throws {InvalidLibraryError} */
export function refuseErrors(problems: readonly LibraryProblem[]): void {
  if (problems.some(({ severity }) => severity === 'error')) throw new InvalidLibraryError(problems);
}

/** Equal texts mean that equal revisions hold equal libraries. */
export function describeReading(source: LibrarySource, { exclude, names, prune }: LoadOptions): string {
  return contentHash(Buffer.from(JSON.stringify([source.name, exclude, names, prune])));
}

const VERSION_NODE_TAKEN = {
  severity: 'error',
  code: 'version-node',
  message: 'has the name of the version node, which the loader writes; rename it or set another version_node',
} as const;
