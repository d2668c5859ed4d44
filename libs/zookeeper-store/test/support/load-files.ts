import { randomUUID } from 'node:crypto';
import {
  type LibrarySource,
  loadLibrary,
  type LoadOptions,
  type LoadReport,
  type SourceEntry,
} from '@svc/library-sync';
import { PLAIN_LOAD } from '@svc/library-sync/testing';
import type { ZookeeperLibraryStore } from '../../src/index.js';

/** Loads these files, given as path → content. */
export async function loadFiles(
  store: ZookeeperLibraryStore,
  files: ReadonlyMap<string, string>,
  options: Partial<LoadOptions> = {},
): Promise<LoadReport> {
  const source: LibrarySource = {
    name: 'source',
    kind: 'git',
    origin: 'source',
    revision: async () => 'one',
    read: async () => {
      const entries = [...files].map(([path, text]): SourceEntry => {
        return { kind: 'file', path, data: Buffer.from(text) };
      });
      return { entries, revision: 'one' };
    },
  };
  const run = { id: randomUUID(), by: 'a test', now: () => new Date() };
  return loadLibrary(source, store, { ...PLAIN_LOAD, ...options }, run);
}
