import { contentHash } from './checks/check-library.js';
import type { LibraryStore, StoredNode } from './library-store.js';
import {
  decodePaths,
  LOADS,
  MANIFEST,
  parseManifest,
  parseRecord,
  partPath,
  recordPath,
  type LoadRecord,
  type Manifest,
} from './manifest.js';
import type { StoredEntry } from './plan-sync.js';

/** Everything the loader knows of the destination. */
export interface LoadState {
  /** Absent before the first load. */
  readonly manifest: Manifest | undefined;
  /** Numbers of the loads whose records are kept, rising. */
  readonly loads: readonly number[];
  /** What the last finished load put there: path → hash; folders end with `/`. */
  readonly recorded: ReadonlyMap<string, string>;
  /** Paths that loads put there, the one that was cut off too. */
  readonly owned: ReadonlySet<string>;
  readonly stored: ReadonlyMap<string, StoredEntry>;
}

/** Reads the manifest and the whole library. */
export async function readLoadState(
  store: LibraryStore,
  versionNode: string | undefined,
): Promise<LoadState> {
  const [kept, stored] = await Promise.all([readRecords(store), readStored(store)]);
  if (versionNode !== undefined) stored.delete(versionNode);
  return { ...kept, stored };
}

async function readRecords(store: LibraryStore): Promise<Omit<LoadState, 'stored'>> {
  const [manifest, loads] = await Promise.all([readManifest(store), readLoadNumbers(store)]);
  const recorded = manifest?.load ? await readPaths(store, manifest.load) : new Map<string, string>();
  const pending = manifest?.pending
    ? await readPaths(store, manifest.pending.load)
    : new Map<string, string>();
  const owned = new Set([...recorded.keys(), ...pending.keys()].map((path) => path.replace(/\/$/, '')));
  return { manifest, loads, recorded, owned };
}

export async function readManifest(store: LibraryStore): Promise<Manifest | undefined> {
  const node = (await store.read('state', [MANIFEST])).get(MANIFEST);
  return node && parseManifest(node.data);
}

/** Numbers of the loads whose records are there, rising. */
export async function readLoadNumbers(store: LibraryStore): Promise<number[]> {
  const names = await store.children('state', LOADS);
  return names.map(Number).sort((a, b) => a - b);
}

export async function readRecord(store: LibraryStore, load: number): Promise<LoadRecord | undefined> {
  const path = recordPath(load);
  const node = (await store.read('state', [path])).get(path);
  return node && parseRecord(node.data);
}

/** What a load put there; empty when its record is gone. */
export async function readPaths(store: LibraryStore, load: number): Promise<Map<string, string>> {
  const record = await readRecord(store, load);
  const paths = Array.from({ length: record?.parts ?? 0 }, (_, part) => partPath(load, part));
  const nodes = await store.read('state', paths);
  return decodePaths(paths.flatMap((path) => nodes.get(path)?.data ?? []));
}

/** The library as it is stored: contents by their hashes. */
export async function readStored(store: LibraryStore): Promise<Map<string, StoredEntry>> {
  const stored = new Map<string, StoredEntry>();
  await store.readTree((node: StoredNode) => {
    const { path, data, version, kind, hidesOthers } = node;
    stored.set(path, { version, kind, hidesOthers, hash: contentHash(data), bytes: data.length });
  });
  return stored;
}
