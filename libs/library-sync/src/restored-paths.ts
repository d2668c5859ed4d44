import type { Library } from './checks/check-library.js';
import type { LibraryFinding } from './ports/library-finding.js';
import { isAsRecorded, type PathList } from './path-list.js';
import { isHidden, type StoredEntry } from './plan-sync.js';

/** Warnings of what a rollback cannot restore: the load had kept it, and it has changed or disappeared since. */
export function findUnrestored(
  { files, folders }: Library,
  stored: ReadonlyMap<string, StoredEntry>,
  recorded: PathList,
): LibraryFinding[] {
  return [...recorded.keys()]
    .map((name) => name.replace(/\/$/, ''))
    .filter((path) => {
      if (files.has(path) || folders.has(path) || isHidden(path, stored)) return false;
      const node = stored.get(path);
      return !node || !isAsRecorded(path, node, recorded);
    })
    .map((path) => ({ ...UNRESTORED, path }));
}

const UNRESTORED = {
  severity: 'warning',
  code: 'not-restored',
  message:
    'is not restored: its source did not have it when the load to restore kept it, and it was changed or removed since',
} as const;
