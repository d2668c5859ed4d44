import ignore from 'ignore';
import type { EntryFilter } from '../library-source.js';
import type { LibraryProblem } from '../library-problem.js';

/** Name of the file at a library's root that says what is not part of it, in gitignore's syntax. */
export const IGNORE_FILE = '.libraryignore';

/**
 * Makes the filter a source is read with: names that start with a dot are left out (they belong to tools and to the
 * consumers' own state), and so is what the patterns say.
 *
 * @param notes is handed one note for each entry that was left out because of its dot
 */
export function createEntryFilter(
  ignoreFile: string | undefined,
  exclude: readonly string[],
  notes: LibraryProblem[],
): EntryFilter {
  // Without patterns nobody asks them: they take a while for each of many paths.
  const hasPatterns = ignoreFile !== undefined || exclude.length > 0;
  const patterns = ignore()
    .add(ignoreFile ?? '')
    .add([...exclude]);
  return (path, isFolder) => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    if (name.startsWith('.')) {
      if (path !== IGNORE_FILE) notes.push({ ...DOT_NAME, path });
      return false;
    }
    return !hasPatterns || !patterns.ignores(isFolder ? `${path}/` : path);
  };
}

const DOT_NAME = {
  severity: 'note',
  code: 'dot-name',
  message: 'is skipped: names that start with a dot belong to tools and to the consumers',
} as const;
