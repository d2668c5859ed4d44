import { dirname, join } from 'node:path';
import { type StoreArea, WriteConflictError, type WriteOperation } from '@svc/library-sync';
import { list, status, versionOf } from './node-files.js';

type Planned = 'file' | 'folder' | 'gone';

/**
 * A folder has no transactions, so all checks are done before a batch's first write.
 *
 * @throws {WriteConflictError}
 */
export function assertBatchFits(
  batch: readonly WriteOperation[],
  roots: Readonly<Record<StoreArea, string>>,
): void {
  const planned = new Map<string, Planned>();
  const kindAt = (path: string): Planned => {
    const known = planned.get(path);
    if (known) return known;
    const found = status(path);
    return found ? (found.isDirectory() ? 'folder' : 'file') : 'gone';
  };
  const isEmpty = (folder: string): boolean =>
    (list(folder) ?? []).every(({ name }) => planned.get(join(folder, name)) === 'gone');

  for (const operation of batch) {
    const { area, path, type } = operation;
    const target = join(roots[area], path);
    const conflict = (reason: string) => new WriteConflictError(area, path, reason);
    const kind = kindAt(target);
    if (type === 'create') {
      if (kind !== 'gone') throw conflict('already exists');
      if (kindAt(dirname(target)) !== 'folder') throw conflict('has no parent folder');
    } else {
      if (kind === 'gone') throw conflict('is gone');
      if (!isVersion(target, operation.version, planned)) throw conflict('was written');
      const loses = kind === 'folder' && (type === 'remove' || operation.kind === 'file');
      if (loses && !isEmpty(target)) throw conflict('has new children');
    }
    planned.set(target, type === 'remove' ? 'gone' : operation.kind);
  }
}

function isVersion(target: string, version: number, planned: ReadonlyMap<string, Planned>): boolean {
  if (version === -1 || planned.has(target)) return true;
  const found = status(target);
  return found !== undefined && versionOf(found) === version;
}
