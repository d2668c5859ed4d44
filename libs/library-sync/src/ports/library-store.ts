/**
 * The two trees a store keeps: the library that consumers read, and beside it, outside the library's root, what the
 * loader keeps for itself (lock, manifest). Paths are relative to the tree's root; the root itself is the empty path.
 */
export type StoreArea = 'library' | 'state';

/** A stored node. */
export interface StoredNode {
  readonly area: StoreArea;
  readonly path: string;
  readonly data: Uint8Array;
  /** Changes with each write of the node; a write that names an outdated one is refused. */
  readonly version: number;
  /**
   * What the store can tell: ZooKeeper's nodes can hold data and children (`both`), and one with neither may stand
   * for an empty file as well as for an empty folder (`empty`). One that others do not let us read is `unreadable`: its
   * data are not known, nor what lies below it.
   */
  readonly kind: 'file' | 'folder' | 'both' | 'empty' | 'unreadable';
  /** Has children that `readTree` does not report: their names start with a dot, or the node is unreadable. */
  readonly hidesOthers: boolean;
}

export type WriteOperation =
  | {
      readonly type: 'create';
      readonly area: StoreArea;
      readonly path: string;
      readonly kind: 'file' | 'folder';
      readonly data: Uint8Array;
    }
  | {
      readonly type: 'update';
      readonly area: StoreArea;
      readonly path: string;
      readonly kind: 'file' | 'folder';
      readonly data: Uint8Array;
      readonly version: number;
    }
  | { readonly type: 'remove'; readonly area: StoreArea; readonly path: string; readonly version: number };

/** The lock's holder, for messages. */
export interface LockHolder {
  /** Unique to this load. */
  readonly id: string;
  /** User, host and process: `root@host, process 12`. */
  readonly by: string;
  /** When the load began, ISO 8601. */
  readonly since: string;
}

export interface LibraryLock {
  readonly holder: LockHolder;
  /** Never rejects: a lock that cannot be released goes with its session. */
  release(): Promise<void>;
}

/** Where libraries live. Every implementation passes the suite of `describeLibraryStore`. */
export interface LibraryStore {
  /** How messages and reports call it. Never holds credentials. */
  readonly name: string;
  /** Bytes of the longest path prefix that the store puts before a library path; counts towards a node's size. */
  readonly rootBytes: number;
  /** The largest request that the destination takes, in bytes; ZooKeeper's default when absent. */
  readonly maxRequestBytes?: number | undefined;
  /** A node's version is 0 at first and rises by one with each write; consumers may compare versions. */
  readonly countsVersions: boolean;
  /** False once the connection has ended for good: whatever is asked of the store then fails. */
  readonly isOpen: boolean;

  /** How messages call a node of the state area: so that operators find it. */
  stateNode(path: string): string;
  /** Every node below the library's root, parents first, except those whose name starts with a dot. */
  readTree(visit: (node: StoredNode) => void): Promise<void>;
  /** The nodes at these paths; those that do not exist are left out. */
  read(area: StoreArea, paths: readonly string[]): Promise<ReadonlyMap<string, StoredNode>>;
  /** Names of the children of a node, in no particular order; none when the node does not exist. */
  children(area: StoreArea, path: string): Promise<readonly string[]>;

  /**
   * Takes the lock that keeps a second load out. It goes by itself when its holder dies.
   *
   * @param waitMs how long to wait for another holder; 0 for not at all
   * @throws {LibraryLockedError} that names the holder
   */
  lock(holder: LockHolder, waitMs: number, signal?: AbortSignal): Promise<LibraryLock>;
  /** Makes sure that the library's root exists. */
  prepare(lock: LibraryLock): Promise<void>;
  /**
   * Writes a batch: all of it or nothing, and nothing unless `lock` is still held. Batches that are handed over without
   * waiting take effect in the order of the calls, until one fails.
   *
   * @throws {LockLostError} nothing was written
   * @throws {WriteConflictError} nothing was written: a node is not as the batch expects it
   * @throws {OutcomeUnknownError} the batch may or may not have been written: read it back
   * @throws {StoreRefusedError} nothing was written: no permission, a quota
   * @throws {StoreUnreachableError} the store is away for good, and the lock with it
   */
  apply(batch: readonly WriteOperation[], lock: LibraryLock): Promise<void>;

  close(): Promise<void>;
}

/** The destination does not answer. `message` names the addresses and what went wrong last. */
export class StoreUnreachableError extends Error {
  override readonly name = 'StoreUnreachableError';
}

/** Another load holds the lock. */
export class LibraryLockedError extends Error {
  override readonly name = 'LibraryLockedError';

  constructor(readonly holder: LockHolder | undefined) {
    const who = holder ? `${holder.by} since ${holder.since}` : 'an unknown process';
    super(`another load is running: the lock is held by ${who}; wait for it to end, or load with --wait`);
  }
}

/** The lock went away during the load: another one may have started. */
export class LockLostError extends Error {
  override readonly name = 'LockLostError';
}

/** A node is not as the plan found it: someone else changed the library during the load. */
export class WriteConflictError extends Error {
  override readonly name = 'WriteConflictError';

  constructor(
    readonly area: StoreArea,
    readonly path: string,
    reason: string,
  ) {
    super(`${path || 'the root'} ${reason}: another client changed it during the load; run the load again`);
  }
}

/** The connection went while a batch was on its way. */
export class OutcomeUnknownError extends Error {
  override readonly name = 'OutcomeUnknownError';
}

/** The store answered, and said no. */
export class StoreRefusedError extends Error {
  override readonly name = 'StoreRefusedError';
}
