import type { FileContent } from './file-content.js';

/**
 * The two trees in a store: the library that consumers read, and the loader's own state (lock, manifest) outside the
 * library's root. Paths are relative to the tree's root; the root itself is the empty path.
 */
export type StoreArea = 'library' | 'state';

/** A stored node. */
export interface StoredNode {
  readonly area: StoreArea;
  readonly path: string;
  readonly data: Uint8Array;
  /** Changes with each write; a write with an outdated version is rejected. */
  readonly version: number;
  /**
   * ZooKeeper's nodes can hold data and children (`both`); a node with neither may be an empty file or an empty
   * folder (`empty`). For a node we may not read (`unreadable`), neither its data nor its children are known.
   */
  readonly kind: 'file' | 'folder' | 'both' | 'empty' | 'unreadable';
  /**
   * Has children that `readTree` does not report: their names start with a dot or are not valid UTF-8, or the node is unreadable.
   */
  readonly hidesOthers: boolean;
  /** False for what is in the place of a file and has no content, such as a link in a folder. Default: true. */
  readonly hasContent?: boolean;
  /** Another client's node that vanishes with its session, and cannot have children: ZooKeeper's ephemeral nodes. */
  readonly isTemporary?: boolean;
}

export type WriteOperation =
  | {
      readonly type: 'create';
      readonly area: StoreArea;
      readonly path: string;
      readonly kind: 'file' | 'folder';
      readonly data: FileContent;
    }
  | {
      readonly type: 'update';
      readonly area: StoreArea;
      readonly path: string;
      readonly kind: 'file' | 'folder';
      readonly data: FileContent;
      readonly version: number;
    }
  | { readonly type: 'remove'; readonly area: StoreArea; readonly path: string; readonly version: number };

/** The lock's holder, for messages. */
export interface LockHolder {
  /** Unique per load. */
  readonly id: string;
  /** User, host and process: `root@host, process 12`. */
  readonly by: string;
  /** When the load started, ISO 8601. */
  readonly since: string;
}

export interface LibraryLock {
  readonly holder: LockHolder;
  /** Never rejects: a lock that cannot be released expires with its session. */
  release(): Promise<void>;
}

/** Stores a library. Every implementation must pass `LIBRARY_STORE_FACTS`. */
export interface LibraryStore {
  /** Name for messages and reports. Never contains credentials. */
  readonly name: string;
  /** Length of the longest path prefix that the store adds, which counts towards a request's size. */
  readonly rootBytes: number;
  /** The destination's request limit, in bytes. Default: ZooKeeper's. */
  readonly maxRequestBytes?: number | undefined;
  /** True if versions start at 0 and increase by one per write, so that consumers may compare them. */
  readonly countsVersions: boolean;
  /** False if an interruption, such as a full disk, can leave a batch half-written. */
  readonly isAtomic: boolean;
  /** False if a node with data cannot have children: others' file is then in the way of a folder. */
  readonly filesHoldChildren: boolean;
  /** False once the connection is permanently lost and every request fails. */
  readonly isOpen: boolean;

  /** Name of a state node for messages, so that operators can find it. */
  stateNode(path: string): string;
  /**
   * Every node below the library's root, parents first, except those whose name starts with a dot.
   *
   * @param visit must copy what it keeps of a node's data
   */
  readTree(visit: (node: StoredNode) => void): Promise<void>;
  /** Reads the nodes at these paths; missing ones are left out. */
  read(area: StoreArea, paths: readonly string[]): Promise<ReadonlyMap<string, StoredNode>>;
  /** Names of a node's children, unordered; empty if the node does not exist. */
  children(area: StoreArea, path: string): Promise<readonly string[]>;

  /**
   * Acquires the lock that excludes other loads. It expires by itself when its holder dies.
   *
   * @param waitMs how long to wait for another holder; 0 to fail at once
   * @throws {LibraryLockedError} naming the holder
   */
  lock(holder: LockHolder, waitMs: number, signal?: AbortSignal): Promise<LibraryLock>;
  /** True if the lock's holder is known to have ended. Absent if a lock ends with its holder's session. */
  isLockAbandoned?(): Promise<boolean>;
  /** Ensures that the library's root exists. */
  prepare(lock: LibraryLock): Promise<void>;
  /**
   * Writes a batch, atomically if `isAtomic`, in its order otherwise, and only if `lock` is still held. Concurrent batches take
   * effect in call order, until one fails.
   *
   * @throws {LockLostError} nothing was written
   * @throws {WriteConflictError} nothing was written: a node is not in the expected state
   * @throws {OutcomeUnknownError} the batch may or may not have been written: read it back
   * @throws {StoreRefusedError} nothing was written: no permission, a quota
   * @throws {StoreUnreachableError} the store, and with it the lock, is lost
   */
  apply(batch: readonly WriteOperation[], lock: LibraryLock): Promise<void>;

  close(): Promise<void>;
}

/** The destination is unreachable. `message` names the addresses and the last error. */
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

/** The lock was lost during the load: another one may have started. */
export class LockLostError extends Error {
  override readonly name = 'LockLostError';
}

/** A node differs from the planned state: another client changed the library during the load. */
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

/** The connection was lost while a batch was in flight. */
export class OutcomeUnknownError extends Error {
  override readonly name = 'OutcomeUnknownError';
}

/** The store rejected the operation. */
export class StoreRefusedError extends Error {
  override readonly name = 'StoreRefusedError';
}
