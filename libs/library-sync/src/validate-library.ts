import { checkLibrary, type CheckOptions } from './checks/check-library.js';
import { createEntryFilter } from './checks/ignore-rules.js';
import type { LibraryProblem } from './library-problem.js';
import type { LibrarySource } from './library-source.js';

/** What a check of a source found. Member names are those of the command's JSON. */
export interface ValidationReport {
  readonly source: string;
  readonly revision: string;
  readonly valid: boolean;
  readonly files: number;
  readonly folders: number;
  readonly bytes: number;
  readonly problems: readonly LibraryProblem[];
}

/** Reads and checks a source as a load would, without a destination. */
export async function validateLibrary(
  source: LibrarySource,
  options: CheckOptions & { readonly exclude: readonly string[] },
  signal?: AbortSignal,
): Promise<ValidationReport> {
  const notes: LibraryProblem[] = [];
  const tree = await source.read(
    (ignoreFile) => createEntryFilter(ignoreFile, options.exclude, notes),
    signal,
  );
  const { library, problems } = await checkLibrary(tree.entries, options);
  const all = [...problems, ...notes];
  return {
    source: source.name,
    revision: tree.revision,
    valid: !all.some(({ severity }) => severity === 'error'),
    files: library.files.size,
    folders: library.folders.size,
    bytes: [...library.files.values()].reduce((sum, { data }) => sum + data.length, 0),
    problems: all,
  };
}
