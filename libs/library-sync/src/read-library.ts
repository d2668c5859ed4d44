import { checkLibrary, contentHash, type Library } from './checks/check-library.js';
import { createEntryFilter } from './checks/ignore-rules.js';
import { InvalidLibraryError, type LibraryProblem } from './library-problem.js';
import type { LibrarySource } from './library-source.js';
import type { LoadOptions, LoadRun } from './load-library.js';

/** A source as it was read: checked, and without errors. */
export interface ReadLibrary {
  readonly library: Library;
  /** Warnings and notes. */
  readonly problems: readonly LibraryProblem[];
  readonly revision: string;
}

/** @throws {InvalidLibraryError} | {SourceUnreachableError} */
export async function readLibrary(
  source: LibrarySource,
  options: LoadOptions,
  { onProgress, signal }: Pick<LoadRun, 'onProgress' | 'signal'>,
): Promise<ReadLibrary> {
  onProgress?.({ phase: 'reading' });
  const notes: LibraryProblem[] = [];
  const tree = await source.read(
    (ignoreFile) => createEntryFilter(ignoreFile, options.exclude, notes),
    signal,
  );
  onProgress?.({ phase: 'checking' });
  const { library, problems } = await checkLibrary(tree.entries, options);
  const all = [...problems, ...notes];
  if (options.versionNode !== undefined && library.files.has(options.versionNode)) {
    all.push({ ...VERSION_NODE_TAKEN, path: options.versionNode });
  }
  refuseErrors(all);
  return { library, problems: all, revision: tree.revision };
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
