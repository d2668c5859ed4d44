import {
  type LibraryLock,
  type LibraryStore,
  type LockHolder,
  LockLostError,
  OutcomeUnknownError,
  type StoreArea,
  type StoredNode,
  StoreRefusedError,
  StoreUnreachableError,
  WriteConflictError,
  type WriteOperation,
} from '@svc/library-sync';
import { type AccessRules, toAcl } from './wire/access-rules.js';
import { readTree } from './read-tree.js';
import { toLibraryRoot } from './library-root.js';
import { makePrivatePath } from './make-private-path.js';
import { addressText, parseZookeeperAddresses } from './session/zookeeper-addresses.js';
import { type MultiOperation, ZookeeperClient, type ZookeeperClientOptions } from './zookeeper-client.js';
import { REPLY_TOO_LARGE, SessionEndedError, ZookeeperError } from './session/zookeeper-error.js';
import { holderPath, acquireLock } from './zookeeper-lock.js';

type ClientDefaults = 'sessionTimeoutMs' | 'maxReplyBytes';

export interface ZookeeperStoreOptions extends Omit<ZookeeperClientOptions, 'servers' | ClientDefaults> {
  /** `host:port,host:port/chroot` */
  readonly addresses: string;
  /** The library's root: an absolute path, relative to the chroot. */
  readonly path: string;
  /** Access to created nodes. Default `open`. */
  readonly acl?: AccessRules | undefined;
  /** Also how long a lock outlives a killed load. Default 10 s. */
  readonly sessionTimeoutMs?: number | undefined;
  /** Maximum reply size in bytes. Default 4 MiB. */
  readonly maxReplyBytes?: number | undefined;
  /** The servers' request limit (`jute.maxbuffer`), in bytes. Default: ZooKeeper's. */
  readonly maxRequestBytes?: number | undefined;
  /** Creates a missing chroot on the first write; otherwise a missing chroot is an error. */
  readonly createChroot?: boolean | undefined;
}

const SESSION_TIMEOUT_MS = 10_000;
const MAX_REPLY_BYTES = 4 << 20;
/** The least a session needs. */
const MIN_REPLY_BYTES = 1_024;
/** The least the loader's own nodes need. */
const MIN_REQUEST_BYTES = 16_384;
/** Parent of the loader's own state, outside the libraries. */
const STATE_PARENT = '/svccmd/libraries';

/** A library in a ZooKeeper cluster: each folder is a node, each file a node with the file's bytes as data. */
export class ZookeeperLibraryStore implements LibraryStore {
  readonly name: string;
  readonly rootBytes: number;
  readonly maxRequestBytes: number | undefined;
  readonly countsVersions = true;
  private readonly roots: Readonly<Record<StoreArea, string>>;
  private readonly acl;

  private constructor(
    private readonly client: ZookeeperClient,
    options: ZookeeperStoreOptions,
  ) {
    const { servers, chroot } = parseZookeeperAddresses(options.addresses);
    const path = toLibraryRoot(options.path, chroot);
    this.name = `zookeeper ${servers.map(addressText).join(',')}${chroot}${path}`;
    this.roots = {
      library: `${chroot}${path}`,
      state: `${chroot}${STATE_PARENT}/${encodeURIComponent(path.slice(1))}`,
    };
    this.rootBytes = Math.max(...Object.values(this.roots).map((root) => Buffer.byteLength(root) + 1));
    this.maxRequestBytes = options.maxRequestBytes;
    this.acl = toAcl(options.acl ?? 'open');
  }

  /**
   * @throws {StoreUnreachableError} naming the servers and the last error
   * @throws {StoreRefusedError} if the chroot does not exist, since it may be misspelt
   * @throws {RangeError} if the options are invalid or contradictory
   */
  static async open(options: ZookeeperStoreOptions): Promise<ZookeeperLibraryStore> {
    const { servers, chroot } = parseZookeeperAddresses(options.addresses);
    toLibraryRoot(options.path, chroot);
    if (options.acl !== undefined && options.acl !== 'open' && options.auth === undefined) {
      throw new RangeError(`acl "${options.acl}" gives rights to authenticated users: it needs auth`);
    }
    if (options.auth !== undefined && !/^[^:]+:./s.test(options.auth)) {
      throw new RangeError('auth must be user:password');
    }
    const { sessionTimeoutMs = SESSION_TIMEOUT_MS, maxReplyBytes = MAX_REPLY_BYTES } = options;
    if (options.maxRequestBytes !== undefined && options.maxRequestBytes < MIN_REQUEST_BYTES) {
      throw new RangeError(`max_request must be at least ${MIN_REQUEST_BYTES} bytes`);
    }
    if (maxReplyBytes < MIN_REPLY_BYTES) {
      throw new RangeError(`max_reply must be at least ${MIN_REPLY_BYTES} bytes`);
    }
    const client = await ZookeeperClient.connect({
      ...options,
      servers,
      sessionTimeoutMs,
      maxReplyBytes,
    }).catch(toStoreError);
    const store = new ZookeeperLibraryStore(client, options);
    try {
      if (!options.createChroot) await assertChroot(client, chroot);
    } catch (error) {
      await store.close();
      throw asStoreError(error);
    }
    return store;
  }

  get isOpen(): boolean {
    return this.client.isOpen;
  }

  stateNode(path: string): string {
    return this.absolute('state', path);
  }

  async readTree(visit: (node: StoredNode) => void): Promise<void> {
    await readTree(this.client, this.roots.library, visit).catch(toStoreError);
  }

  async read(area: StoreArea, paths: readonly string[]): Promise<ReadonlyMap<string, StoredNode>> {
    const found = new Map<string, StoredNode>();
    const readOne = async (path: string): Promise<void> => {
      const node = await this.client.getData(this.absolute(area, path));
      if (!node) return;
      const { data, version, childCount } = node;
      found.set(path, {
        area,
        path,
        data,
        version,
        kind: kindOf(data.length, childCount),
        hidesOthers: false,
      });
    };
    await Promise.all(paths.map(readOne)).catch(toStoreError);
    return found;
  }

  async children(area: StoreArea, path: string): Promise<readonly string[]> {
    return (await this.client.getChildren(this.absolute(area, path)).catch(toStoreError)) ?? [];
  }

  async lock(holder: LockHolder, waitMs: number, signal?: AbortSignal): Promise<LibraryLock> {
    return acquireLock(this.client, this.roots.state, this.acl, { holder, waitMs, signal }).catch(
      toStoreError,
    );
  }

  async prepare(_lock: LibraryLock): Promise<void> {
    await makePrivatePath(this.client, this.roots.library, this.acl).catch(toStoreError);
  }

  async apply(batch: readonly WriteOperation[], lock: LibraryLock): Promise<void> {
    const fence: MultiOperation = { type: 'check', path: holderPath(this.roots.state, lock.holder.id) };
    const operations = batch.map((operation) => this.toMulti(operation));
    try {
      await this.client.multi([fence, ...operations]);
    } catch (error) {
      throw toWriteError(error, batch);
    }
  }

  async close(): Promise<void> {
    await this.client.close();
  }

  private absolute(area: StoreArea, path: string): string {
    return path === '' ? this.roots[area] : `${this.roots[area]}/${path}`;
  }

  private toMulti(operation: WriteOperation): MultiOperation {
    const path = this.absolute(operation.area, operation.path);
    switch (operation.type) {
      case 'create':
        return { type: 'create', path, data: operation.data, acl: this.acl };
      case 'update':
        return { type: 'setData', path, data: operation.data, version: operation.version };
      case 'remove':
        return { type: 'remove', path, version: operation.version };
    }
  }
}

async function assertChroot(client: ZookeeperClient, chroot: string): Promise<void> {
  if (chroot === '' || (await client.getStat(chroot))) return;
  throw new StoreRefusedError(
    `the chroot ${chroot} of destination.urls does not exist in ZooKeeper; correct it, or create it with --create-chroot`,
  );
}

/** A node's kind follows from its data and children. */
function kindOf(bytes: number, childCount: number): StoredNode['kind'] {
  if (childCount > 0) return bytes > 0 ? 'both' : 'folder';
  return bytes > 0 ? 'file' : 'empty';
}

const CONFLICTS: Readonly<Record<string, string>> = {
  NODE_EXISTS: 'already exists',
  NO_NODE: 'or its parent is gone',
  BAD_VERSION: 'was written',
  NOT_EMPTY: 'has new children',
};

const UNKNOWN_OUTCOMES = new Set([
  'CONNECTION_LOSS',
  'OPERATION_TIMEOUT',
  'REQUEST_TIMEOUT',
  'SESSION_MOVED',
]);

function toWriteError(error: unknown, batch: readonly WriteOperation[]): unknown {
  if (!(error instanceof ZookeeperError)) return asStoreError(error);
  if (UNKNOWN_OUTCOMES.has(error.reason)) return new OutcomeUnknownError(error.message, { cause: error });
  if (error.index === 0) return new LockLostError("the lock's node is gone");
  const operation = error.index === undefined ? undefined : batch[error.index - 1];
  const reason = CONFLICTS[error.reason];
  if (operation && reason) return new WriteConflictError(operation.area, operation.path, reason);
  return asStoreError(error);
}

function asStoreError(error: unknown): unknown {
  if (error instanceof SessionEndedError) return new StoreUnreachableError(error.message, { cause: error });
  if (!(error instanceof ZookeeperError)) return error;
  if (UNKNOWN_OUTCOMES.has(error.reason)) {
    return new StoreUnreachableError(`ZooKeeper does not respond (${error.message})`, { cause: error });
  }
  if (error.code === REPLY_TOO_LARGE) {
    const { operation, path } = error;
    return new StoreRefusedError(
      `the reply to ${operation} ${path} is larger than destination.max_reply; raise it if the node is meant to be that large`,
      { cause: error },
    );
  }
  return new StoreRefusedError(`ZooKeeper refused to ${error.message}${REMEDIES[error.reason] ?? ''}`, {
    cause: error,
  });
}

const REMEDIES: Readonly<Record<string, string>> = {
  NO_AUTH: ' (no permission; set destination.auth to a user who has it)',
  INVALID_ACL: ' (the access rules need destination.auth)',
  QUOTA_EXCEEDED: ' (raise the quota or make the library smaller)',
};

function toStoreError(error: unknown): never {
  throw asStoreError(error);
}
