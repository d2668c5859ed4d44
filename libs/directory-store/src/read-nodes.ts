import { join } from 'node:path';
import { TimeSlice, withPlainFile } from '@svc/foundation/files';
import type { StoredNode } from '@svc/library-sync';
import { type FolderEntry, list, status, unlessMissing, versionOf } from './node-files.js';

const NOTHING = new Uint8Array();

type FoundNode = Omit<StoredNode, 'area'>;

/** Reads every node below a folder, parents first, skipping hidden ones. */
export async function readTree(root: string, visit: (node: FoundNode) => void): Promise<void> {
  const folders = [''];
  const turns = new TimeSlice();
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = folder === '' ? list(root) : unlessRefused(() => list(join(root, folder)));
    if (entries === 'refused') visit(toUnreadable(folder, true));
    else if (folder !== '' && entries) visit(toFolder(folder, entries));
    for (const entry of entries === 'refused' ? [] : (entries ?? [])) {
      if (entry.isHidden) continue;
      const path = folder ? `${folder}/${entry.name}` : entry.name;
      if (entry.isFolder) folders.push(path);
      else {
        const node = unlessRefused(() => readNode(root, path));
        if (node) visit(node === 'refused' ? toUnreadable(path, false) : node);
      }
      if (turns.isUsedUp) await turns.next();
    }
  }
}

/** The node at a path, without following links; undefined if nothing exists. */
export function readNode(root: string, path: string): FoundNode | undefined {
  const target = join(root, path);
  const found = status(target);
  if (!found) return undefined;
  if (found.isDirectory()) return toFolder(path, list(target) ?? []);
  if (!found.isFile()) return { ...toFile(path, versionOf(found), NOTHING), hasContent: false };
  return unlessMissing(() =>
    withPlainFile(target, (opened, read) => toFile(path, versionOf(opened), read())),
  );
}

function unlessRefused<T>(look: () => T): T | 'refused' {
  try {
    return look();
  } catch (error) {
    if (!['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return 'refused';
  }
}

/** The version is irrelevant: the parent's permissions decide whether it can be removed. */
function toUnreadable(path: string, hidesOthers: boolean): FoundNode {
  return { path, data: NOTHING, version: -1, kind: 'unreadable', hidesOthers };
}

function toFolder(path: string, entries: readonly FolderEntry[]): FoundNode {
  const hidesOthers = entries.some(({ isHidden }) => isHidden);
  return { path, data: NOTHING, version: 0, kind: 'folder', hidesOthers };
}

function toFile(path: string, version: number, data: Uint8Array): FoundNode {
  return { path, data, version, kind: 'file', hidesOthers: false };
}
