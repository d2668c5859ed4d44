import type { EntryFilter } from '../ports/library-source.js';
import type { LibraryFinding } from '../ports/library-finding.js';
import { IgnoreList } from './ignore-list.js';

/** Name of the file at a library's root that lists exclusions, in gitignore's syntax. */
export const IGNORE_FILE = '.libraryignore';

/** Far more than a library needs; every path is matched with every pattern. */
const MAX_PATTERNS = 1_000;
const MAX_PATTERN_LENGTH = 1_000;
const MAX_LENGTH = 64 * 1024;

/**
 * Creates the filter for reading a source. It skips names that start with a dot, which belong to tools and to the
 * consumers' own state, and whatever the patterns exclude.
 *
 * @param notes receives a note for each entry skipped because of its dot, and errors about the patterns
 */
export function createEntryFilter(
  ignoreFile: string | undefined,
  exclude: readonly string[],
  notes: LibraryFinding[],
): EntryFilter {
  const lines = [
    ...withinLimits(ignoreFile?.replace(/^\ufeff/, '').split(/\r?\n/) ?? [], IGNORE_FILE, notes),
    ...withinLimits(exclude, 'source.exclude', notes),
  ];
  const patterns = new IgnoreList(lines);
  return (path, isFolder) => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    if (name.startsWith('.')) {
      if (path !== IGNORE_FILE) notes.push({ ...DOT_NAME, path });
      return false;
    }
    return !patterns.ignores(path, isFolder);
  };
}

/** @returns the patterns within the limits */
function withinLimits(lines: readonly string[], place: string, notes: LibraryFinding[]): string[] {
  const patterns: string[] = [];
  let length = 0;
  for (const [index, pattern] of lines.entries()) {
    if (pattern.trim() === '' || pattern.startsWith('#')) continue;
    length += pattern.length;
    if (pattern.length > MAX_PATTERN_LENGTH || patterns.length === MAX_PATTERNS || length > MAX_LENGTH) {
      notes.push({
        severity: 'error',
        path: place,
        line: index + 1,
        code: 'ignore-patterns',
        message: TOO_MANY,
      });
      break;
    }
    patterns.push(pattern);
  }
  return patterns;
}

const TOO_MANY = `exceeds the limits of patterns (${MAX_PATTERNS} of ${MAX_PATTERN_LENGTH} characters each, ${MAX_LENGTH} together); write fewer or shorter ones`;

const DOT_NAME = {
  severity: 'note',
  code: 'dot-name',
  message: 'is skipped: names that start with a dot belong to tools and to the consumers',
} as const;
