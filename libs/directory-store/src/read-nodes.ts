import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { withPlainFile } from '@svc/folder-files';
import type { StoredNode } from '@svc/library-sync';
import { ignoreMissing, versionOf } from './node-files.js';

// Synchronous calls throughout: a thousand small files take a tenth of the time.

const NOTHING = new Uint8Array();
/** Others get their turn after so many nodes. */
const NODES_BEFORE_PAUSE = 100;

type FoundNode = Omit<StoredNode, 'area'>;

/** Reads every node below a folder, parents first, without those whose name starts with a dot. */
export async function readTree(root: string, visit: (node: FoundNode) => void): Promise<void> {
  const folders = [''];
  let count = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = list(join(root, folder));
    if (folder !== '' && entries) visit(toFolder(folder, entries));
    for (const entry of entries ?? []) {
      if (entry.name.startsWith('.')) continue;
      if ((count += 1) % NODES_BEFORE_PAUSE === 0) await setImmediate();
      const path = folder ? `${folder}/${entry.name}` : entry.name;
      if (entry.isDirectory()) {
        folders.push(path);
        continue;
      }
      const node = readNode(root, path);
      if (node) visit(node);
    }
  }
}

/** What there is at a path: links are not followed, and undefined is nothing. */
export function readNode(root: string, path: string): FoundNode | undefined {
  const target = join(root, path);
  try {
    const found = lstatSync(target, { bigint: true });
    if (found.isDirectory()) return toFolder(path, list(target) ?? []);
    if (!found.isFile()) return toFile(path, versionOf(found), NOTHING);
    return withPlainFile(target, (opened, read) => toFile(path, versionOf(opened), read()));
  } catch (error) {
    return ignoreMissing(error as NodeJS.ErrnoException);
  }
}

function list(folder: string): Dirent[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    return ignoreMissing(error as NodeJS.ErrnoException);
  }
}

function toFolder(path: string, entries: readonly Dirent[]): FoundNode {
  const hidesOthers = entries.some(({ name }) => name.startsWith('.'));
  return { path, data: NOTHING, version: 0, kind: 'folder', hidesOthers };
}

function toFile(path: string, version: number, data: Uint8Array): FoundNode {
  return { path, data, version, kind: 'file', hidesOthers: false };
}
