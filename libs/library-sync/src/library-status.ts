import type { LibraryStore, LockHolder } from './ports/library-store.js';
import { parse, readLoadNumbers, readManifest, readPaths, readRecord, readStored } from './load-state.js';
import { isHidden } from './plan-sync.js';
import { LOCK, type LoadRecord, type Manifest, parseHolder } from './manifest.js';
import { parseVersion } from './version-node.js';

/** Where a destination stands. Member names are those of the HTTP answer. */
export interface LibraryStatus {
  readonly destination: string;
  /** Number of the last finished load; 0 before the first. */
  readonly load: number;
  /** Value of the version node as consumers read it; absent when there is no such node. */
  readonly version?: string;
  /** The last finished load. */
  readonly last?: LoadRecord;
  /** A load that is under way or was cut off: loading again completes it. */
  readonly pending?: Manifest['pending'];
  /** Who is loading now. */
  readonly lock?: LockHolder;
}

/**
 * Reads what the loader keeps beside the library; the library itself is not read.
 *
 * @throws {UnreadableStateError}
 */
export async function readStatus(
  store: LibraryStore,
  versionNode: string | undefined,
): Promise<LibraryStatus> {
  const [manifest, locks, version] = await Promise.all([
    readManifest(store),
    store.read('state', [LOCK]),
    readVersion(store, versionNode),
  ]);
  const last = manifest?.load ? await readRecord(store, manifest.load) : undefined;
  const lock = locks.get(LOCK);
  return {
    destination: store.name,
    load: manifest?.load ?? 0,
    ...(version !== undefined && { version }),
    ...(last && { last }),
    ...(manifest?.pending && { pending: manifest.pending }),
    ...(lock && { lock: parse(store, lock, parseHolder) }),
  };
}

/** Records of the finished loads that are kept, newest first. */
export async function readHistory(store: LibraryStore): Promise<LoadRecord[]> {
  const loads = await readLoadNumbers(store);
  const records = await Promise.all(loads.reverse().map(async (load) => readRecord(store, load)));
  return records.filter((record) => record?.finished_at !== undefined) as LoadRecord[];
}

/** A node that is not as the last load left it. */
export interface Drift {
  readonly path: string;
  /** `unreadable`: others do not let us read it, or what it lies in. */
  readonly change: 'changed' | 'missing' | 'unreadable';
}

/** Compares the library with what the last load put there. */
export async function readDrift(store: LibraryStore): Promise<Drift[]> {
  const manifest = await readManifest(store);
  if (!manifest?.load) return [];
  const [recorded, stored] = await Promise.all([readPaths(store, manifest.load), readStored(store)]);
  return [...recorded].flatMap(([name, hash]): Drift[] => {
    const path = name.replace(/\/$/, '');
    const node = stored.get(path);
    if (isHidden(path, stored)) return [{ path, change: 'unreadable' }];
    if (!node) return [{ path, change: 'missing' }];
    return hash !== '' && node.hash !== hash ? [{ path, change: 'changed' }] : [];
  });
}

/** Paths that the last finished load made as folders. */
export async function readLoadedFolders(store: LibraryStore): Promise<ReadonlySet<string>> {
  const manifest = await readManifest(store);
  const recorded = manifest?.load ? await readPaths(store, manifest.load) : new Map<string, string>();
  return new Set([...recorded.keys()].filter((name) => name.endsWith('/')).map((name) => name.slice(0, -1)));
}

async function readVersion(store: LibraryStore, path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  const node = (await store.read('library', [path])).get(path);
  return String(parseVersion(node?.data));
}
