import type { CheckedSource, ReadingOptions } from './checked-source.js';
import type { LibraryProblem } from './ports/library-problem.js';
import type { LibrarySource } from './ports/library-source.js';
import { readAndCheck } from './read-library.js';

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

/** Reads and checks a source as a load does, without a destination. */
export async function validateLibrary(
  source: LibrarySource | CheckedSource,
  options: ReadingOptions,
  signal?: AbortSignal,
): Promise<ValidationReport> {
  const { library, problems, revision } = await readAndCheck(source, options, { signal });
  return {
    source: source.name,
    revision,
    valid: !problems.some(({ severity }) => severity === 'error'),
    files: library.files.size,
    folders: library.folders.size,
    bytes: [...library.files.values()].reduce((sum, { data }) => sum + data.length, 0),
    problems,
  };
}
