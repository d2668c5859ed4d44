import { contentHash } from './checks/check-library.js';
import type { LibraryStore, StoredNode } from './ports/library-store.js';
import {
  loadPath,
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
import type { PlanState, StoredEntry } from './plan-sync.js';
import { UnreadableStateError } from './load.errors.js';
import { decodeVersions, mergeHistories, NO_HISTORY, type VersionHistory } from './version-history.js';

/** The destination's state. */
export interface LoadState extends PlanState {
  /** Absent before the first load. */
  readonly manifest: Manifest | undefined;
  /** The last finished load. */
  readonly last: LoadRecord | undefined;
  /** Origin of the source that owns the destination; absent before the first load, or if no record names it. */
  readonly owner: string | undefined;
  /** The interrupted load; absent also if its record was removed. */
  readonly pending: LoadRecord | undefined;
  /** Numbers of the loads with a record, ascending. */
  readonly loads: readonly number[];
  /** Paths written by loads interrupted since the last finished one; folders end with `/`. */
  readonly leftovers: ReadonlySet<string>;
}

export type LoadRecords = Omit<LoadState, 'stored'>;

/** Reads the whole library and its records. */
export async function readLoadState(
  store: LibraryStore,
  recording: Promise<LoadRecords>,
  versionNode: string | undefined,
): Promise<LoadState> {
  const [records, stored] = await Promise.all([recording, readStored(store)]);
  if (versionNode !== undefined) stored.delete(versionNode);
  return { ...records, stored };
}

/** Reads only the records of earlier loads, which are small compared to the library. */
export async function readRecords(store: LibraryStore): Promise<LoadRecords> {
  const [manifest, loads] = await Promise.all([readManifest(store), readLoadNumbers(store)]);
  const [finished, pending] = await Promise.all([
    manifest?.load ? readRecord(store, manifest.load) : undefined,
    manifest?.pending ? readRecord(store, manifest.pending.load) : undefined,
  ]);
  const [recorded, leftovers, ...histories] = await Promise.all([
    readListed(store, finished),
    readLeftovers(store, pending),
    readVersions(store, finished),
    readVersions(store, pending),
  ]);
  const names = [...recorded.keys(), ...leftovers];
  return {
    manifest,
    last: finished,
    owner: ownerOf(pending) ?? ownerOf(finished),
    pending,
    loads,
    recorded,
    leftovers,
    owned: new Set(names.map(bare)),
    ownedFiles: new Set(names.filter((name) => !name.endsWith('/'))),
    filesHoldChildren: store.filesHoldChildren,
    history: store.countsVersions ? mergeHistories(...histories) : undefined,
  };
}

/** Records of earlier releases have only the origin. */
const ownerOf = (record: LoadRecord | undefined): string | undefined => record?.owner ?? record?.origin;

/** @throws {UnreadableStateError} */
export async function readManifest(store: LibraryStore): Promise<Manifest | undefined> {
  const node = (await store.read('state', [MANIFEST])).get(MANIFEST);
  if (!node) return undefined;
  const manifest = parse(store, node, parseManifest);
  if (!manifest) throw UnreadableStateError.later(store.stateNode(MANIFEST));
  return manifest;
}

/** Numbers of the loads with a record, ascending. */
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
 * The paths a load wrote.
 *
 * @returns undefined if its record, or a part of the list, is missing
 * @throws {UnreadableStateError}
 */
export async function readPaths(store: LibraryStore, load: number): Promise<Map<string, string> | undefined> {
  const record = await readRecord(store, load);
  if (!record) return undefined;
  const names = new Set(await store.children('state', loadPath(load)));
  for (let part = 0; part < record.parts; part += 1) if (!names.has(String(part))) return undefined;
  return readListed(store, record);
}

/** The paths a load wrote, as far as its record and the list are there. @throws {UnreadableStateError} */
export async function readKnownPaths(store: LibraryStore, load: number): Promise<Map<string, string>> {
  return readListed(store, await readRecord(store, load));
}

async function readListed(store: LibraryStore, record: LoadRecord | undefined): Promise<Map<string, string>> {
  return record ? readParts(store, record.load, 0, record.parts, decodePart) : new Map<string, string>();
}

/** Everything that an interrupted load, and interrupted ones before it, may have written. */
async function readLeftovers(store: LibraryStore, record: LoadRecord | undefined): Promise<Set<string>> {
  if (!record) return new Set();
  const { load, parts, version_parts = 0, leftover_parts = 0 } = record;
  const left = await readParts(store, load, parts + version_parts, leftover_parts, decodePart);
  return new Set([...(await readListed(store, record)).keys(), ...left.keys()]);
}

async function readVersions(store: LibraryStore, record: LoadRecord | undefined): Promise<VersionHistory> {
  if (!record) return NO_HISTORY;
  const { load, parts, version_parts = 0, version_floor = NO_HISTORY.floor } = record;
  return {
    highest: await readParts(store, load, parts, version_parts, decodeVersions),
    floor: version_floor,
  };
}

/** A record's lists are stored in consecutively numbered nodes. */
async function readParts<T>(
  store: LibraryStore,
  load: number,
  first: number,
  count: number,
  decode: (data: Uint8Array) => ReadonlyMap<string, T>,
): Promise<Map<string, T>> {
  const nodes = await store.read(
    'state',
    Array.from({ length: count }, (_, part) => partPath(load, first + part)),
  );
  return new Map([...nodes.values()].flatMap((node) => [...parse(store, node, decode)]));
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

/** Differs from every hash of a content. */
const NO_CONTENT = '';

/** The stored library, with hashes in place of contents. */
export async function readStored(store: LibraryStore): Promise<Map<string, StoredEntry>> {
  const stored = new Map<string, StoredEntry>();
  await store.readTree((node: StoredNode) => {
    const { path, data, version, kind, hidesOthers, isTemporary, hasContent = true } = node;
    const hash = hasContent ? contentHash(data) : NO_CONTENT;
    const entry = { version, kind, hidesOthers, hash, bytes: data.length };
    stored.set(path, isTemporary ? { ...entry, isTemporary } : entry);
  });
  return stored;
}
