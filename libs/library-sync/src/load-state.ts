import { contentHash } from './checks/check-library.js';
import type { LibraryStore, StoredNode } from './library-store.js';
import {
  LOADS,
  MANIFEST,
  parseManifest,
  parseRecord,
  partPath,
  recordPath,
  type LoadRecord,
  type Manifest,
} from './manifest.js';
import { decodePart } from './path-list.js';
import type { StoredEntry } from './plan-sync.js';
import { UnreadableStateError } from './unreadable-state-error.js';

/** Everything the loader knows of the destination. */
export interface LoadState {
  /** Absent before the first load. */
  readonly manifest: Manifest | undefined;
  /** Numbers of the loads whose records are kept, rising. */
  readonly loads: readonly number[];
  /** What the last finished load put there: path → hash; folders end with `/`. */
  readonly recorded: ReadonlyMap<string, string>;
  /** Paths that loads put there, those that were cut off too. */
  readonly owned: ReadonlySet<string>;
  /** Those of `owned` that loads put there which were cut off since the last finished one. */
  readonly leftovers: ReadonlySet<string>;
  readonly stored: ReadonlyMap<string, StoredEntry>;
}

export type LoadRecords = Omit<LoadState, 'stored'>;

/** Reads the whole library, beside what is recorded of it. */
export async function readLoadState(
  store: LibraryStore,
  recording: Promise<LoadRecords>,
  versionNode: string | undefined,
): Promise<LoadState> {
  const [records, stored] = await Promise.all([recording, readStored(store)]);
  if (versionNode !== undefined) stored.delete(versionNode);
  return { ...records, stored };
}

/** What earlier loads left to be known of them: little, beside the library itself. */
export async function readRecords(store: LibraryStore): Promise<LoadRecords> {
  const [manifest, loads] = await Promise.all([readManifest(store), readLoadNumbers(store)]);
  const [recorded, leftovers] = await Promise.all([
    manifest?.load ? readPaths(store, manifest.load) : new Map<string, string>(),
    manifest?.pending ? readLeftovers(store, manifest.pending.load) : new Set<string>(),
  ]);
  const owned = new Set([...[...recorded.keys()].map(bare), ...leftovers]);
  return { manifest, loads, recorded, leftovers, owned };
}

/** @throws {UnreadableStateError} */
export async function readManifest(store: LibraryStore): Promise<Manifest | undefined> {
  const node = (await store.read('state', [MANIFEST])).get(MANIFEST);
  if (!node) return undefined;
  const manifest = parse(store, node, parseManifest);
  if (!manifest) throw UnreadableStateError.later(store.stateNode(MANIFEST));
  return manifest;
}

/** Numbers of the loads whose records are there, rising. */
export async function readLoadNumbers(store: LibraryStore): Promise<number[]> {
  const names = await store.children('state', LOADS);
  return names
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .sort((a, b) => a - b);
}

/** @throws {UnreadableStateError} */
export async function readRecord(store: LibraryStore, load: number): Promise<LoadRecord | undefined> {
  const path = recordPath(load);
  const node = (await store.read('state', [path])).get(path);
  return node && parse(store, node, parseRecord);
}

/**
 * What a load put there; empty when its record is gone.
 *
 * @throws {UnreadableStateError}
 */
export async function readPaths(store: LibraryStore, load: number): Promise<Map<string, string>> {
  const record = await readRecord(store, load);
  return readParts(store, load, record?.parts ?? 0);
}

/** Everything that a load which was cut off may have put there, or that others before it did which were cut off too. */
async function readLeftovers(store: LibraryStore, load: number): Promise<Set<string>> {
  const record = await readRecord(store, load);
  const { parts = 0, leftover_parts = 0 } = record ?? {};
  return new Set([...(await readParts(store, load, parts + leftover_parts)).keys()].map(bare));
}

async function readParts(store: LibraryStore, load: number, count: number): Promise<Map<string, string>> {
  const nodes = await store.read(
    'state',
    Array.from({ length: count }, (_, part) => partPath(load, part)),
  );
  return new Map([...nodes.values()].flatMap((node) => [...parse(store, node, decodePart)]));
}

/** @throws {UnreadableStateError} */
export function parse<T>(store: LibraryStore, { path, data }: StoredNode, read: (data: Uint8Array) => T): T {
  try {
    return read(data);
  } catch (error) {
    throw UnreadableStateError.damaged(store.stateNode(path), (error as Error).message, error);
  }
}

const bare = (path: string): string => path.replace(/\/$/, '');

/** The library as it is stored: contents by their hashes. */
export async function readStored(store: LibraryStore): Promise<Map<string, StoredEntry>> {
  const stored = new Map<string, StoredEntry>();
  await store.readTree((node: StoredNode) => {
    const { path, data, version, kind, hidesOthers } = node;
    stored.set(path, { version, kind, hidesOthers, hash: contentHash(data), bytes: data.length });
  });
  return stored;
}
