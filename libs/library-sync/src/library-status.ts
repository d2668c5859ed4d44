import type { LibraryStore, LockHolder } from './ports/library-store.js';
import {
  parse,
  readKnownPaths,
  readLoadNumbers,
  readManifest,
  readPaths,
  readRecord,
  readStored,
} from './load-state.js';
import { isHidden } from './plan-sync.js';
import {
  interruptedRevision,
  isAhead,
  LOCK,
  type LoadRecord,
  type Manifest,
  parseHolder,
} from './manifest.js';
import { parseVersion } from './version-node.js';

/** A destination's status. Property names are those of the HTTP response. */
export interface LibraryStatus {
  readonly destination: string;
  /** Number of the last finished load; 0 before the first. */
  readonly load: number;
  /** Value of the version node as read by consumers; absent if there is no such node. */
  readonly version?: string;
  /** The last finished load; absent before the first, and if its record was removed. */
  readonly last?: LoadRecord;
  /** A running or interrupted load; the next load completes it. */
  readonly pending?: Manifest['pending'];
  /** The running load's holder. */
  readonly lock?: LockHolder;
}

/**
 * Reads only the loader's own state, not the library.
 *
 * @throws {UnreadableStateError}
 */
export async function readStatus(
  store: LibraryStore,
  versionNode: string | undefined,
): Promise<LibraryStatus> {
  const [manifest, lock, version] = await Promise.all([
    readManifest(store),
    readLockHolder(store),
    readVersion(store, versionNode),
  ]);
  const last = manifest?.load ? await readRecord(store, manifest.load) : undefined;
  return {
    destination: store.name,
    load: manifest?.load ?? 0,
    ...(version !== undefined && { version }),
    ...(last && { last }),
    ...(manifest?.pending && { pending: manifest.pending }),
    ...(lock && { lock }),
  };
}

/**
 * The load that is running; undefined if none is, also after one was killed.
 *
 * @throws {UnreadableStateError}
 */
export async function readLockHolder(store: LibraryStore): Promise<LockHolder | undefined> {
  const node = (await store.read('state', [LOCK])).get(LOCK);
  const holder = node && parse(store, node, parseHolder);
  return holder && (await store.isLockAbandoned?.()) ? undefined : holder;
}

/** What a rollback goes back from. */
export interface LastLoad {
  /** Number of the last finished load; 0 before the first. */
  readonly load: number;
  /** Number of the running or interrupted load. */
  readonly pending: number | undefined;
  /** Whether parts of an unfinished load of the source are in the destination, so that one step back is the load before it. */
  readonly isInterrupted: boolean;
}

/** @throws {UnreadableStateError} */
export async function readLastLoad(store: LibraryStore): Promise<LastLoad> {
  const { load = 0, pending } = (await readManifest(store)) ?? {};
  const record = pending && (await readRecord(store, pending.load));
  return { load, pending: pending?.load, isInterrupted: interruptedRevision(record) !== undefined };
}

/**
 * The kept records of finished loads, newest first. A load that was cut off between its record and the manifest is not finished,
 * although its record says so.
 */
export async function readHistory(store: LibraryStore): Promise<LoadRecord[]> {
  const manifest = await readManifest(store);
  const loads = (await readLoadNumbers(store)).filter((load) => !isAhead(load, manifest));
  const records = await Promise.all(loads.reverse().map(async (load) => readRecord(store, load)));
  return records.filter((record) => record?.finished_at !== undefined) as LoadRecord[];
}

/** A node changed since the last load. */
export interface Drift {
  readonly path: string;
  /** `unreadable`: no permission to read it or a parent folder. */
  readonly change: 'changed' | 'missing' | 'unreadable';
}

/** How often a reading is started again because a load ran meanwhile. */
const READ_TRIES = 3;

/**
 * Reads the library as one load left it.
 *
 * @param read called with the number of the last finished load, 0 before the first, and again if another load ran meanwhile
 * @returns undefined while a load is running or interrupted, or if loads keep following one another
 */
export async function readBetweenLoads<T>(
  store: LibraryStore,
  read: (load: number) => Promise<T>,
): Promise<{ readonly found: T } | undefined> {
  for (let tries = 0; tries < READ_TRIES; tries += 1) {
    const { load = 0, pending } = (await readManifest(store)) ?? {};
    if (pending) return undefined;
    const found = await read(load);
    const after = await readManifest(store);
    if ((after?.load ?? 0) === load && !after?.pending) return { found };
  }
  return undefined;
}

/**
 * Compares the library with what the last load wrote.
 *
 * @returns undefined while a load is running or interrupted, since its own writes would count as drift, and if it is not known what
 *   the last load wrote
 */
export async function readDrift(store: LibraryStore): Promise<Drift[] | undefined> {
  const read = await readBetweenLoads(store, async (load) =>
    load === 0 ? [] : compareWithLoad(store, load),
  );
  return read?.found;
}

async function compareWithLoad(store: LibraryStore, load: number): Promise<Drift[] | undefined> {
  const [recorded, stored] = await Promise.all([readPaths(store, load), readStored(store)]);
  if (!recorded) return undefined;
  return [...recorded].flatMap(([name, hash]): Drift[] => {
    const path = name.replace(/\/$/, '');
    const node = stored.get(path);
    if (isHidden(path, stored)) return [{ path, change: 'unreadable' }];
    if (!node) return [{ path, change: 'missing' }];
    const isReplaced = name.endsWith('/') && node.kind === 'file' && !store.filesHoldChildren;
    return isReplaced || (hash !== '' && node.hash !== hash) ? [{ path, change: 'changed' }] : [];
  });
}

/** Paths that a load wrote. */
export interface LoadedPaths {
  readonly files: ReadonlySet<string>;
  readonly folders: ReadonlySet<string>;
}

/** Which paths a load wrote as files, and which as folders, as far as is known; 0 before the first load. */
export async function readLoadedPaths(store: LibraryStore, load: number): Promise<LoadedPaths> {
  const names = load === 0 ? [] : [...(await readKnownPaths(store, load)).keys()];
  const folders = names.filter((name) => name.endsWith('/')).map((name) => name.slice(0, -1));
  return { files: new Set(names.filter((name) => !name.endsWith('/'))), folders: new Set(folders) };
}

async function readVersion(store: LibraryStore, path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  const node = (await store.read('library', [path])).get(path);
  return String(parseVersion(node?.data));
}
