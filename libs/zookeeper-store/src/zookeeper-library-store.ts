import {
  bytesOf,
  type LibraryLock,
  type LibraryStore,
  type LockHolder,
  type StoreArea,
  type StoredNode,
  type WriteOperation,
} from '@svc/library-sync';
import { connectCluster, type ZookeeperClusterOptions } from './connect-cluster.js';
import { toAcl } from './wire/access-rules.js';
import { readTree } from './read-tree.js';
import { assertLibraryPath, toLibraryRoot } from './library-root.js';
import { makePrivatePath } from './make-private-path.js';
import { addressText, parseZookeeperAddresses } from './session/zookeeper-addresses.js';
import type { MultiOperation, ZookeeperClient } from './zookeeper-client.js';
import { toStoreError, toWriteError } from './store-errors.js';
import { holderPath, acquireLock } from './zookeeper-lock.js';

export interface ZookeeperStoreOptions extends ZookeeperClusterOptions {
  /** The library's root: an absolute path, relative to the chroot. */
  readonly path: string;
}

/** Parent of the loader's own state, outside the libraries. */
const STATE_PARENT = '/svccmd/libraries';

/** A library in a ZooKeeper cluster: each folder is a node, each file a node with the file's bytes as data. */
export class ZookeeperLibraryStore implements LibraryStore {
  readonly name: string;
  readonly rootBytes: number;
  readonly maxRequestBytes: number | undefined;
  readonly countsVersions = true;
  readonly isAtomic = true;
  readonly filesHoldChildren = true;
  private readonly roots: Readonly<Record<StoreArea, string>>;
  private readonly acl;

  /** @throws {RangeError} if the path cannot hold a library */
  constructor(
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
   * In a session of its own, which ends with the store.
   *
   * @throws {RangeError} if the path cannot hold a library
   * @throws what `connectCluster` throws
   */
  static async open(options: ZookeeperStoreOptions): Promise<ZookeeperLibraryStore> {
    assertLibraryPath(options.addresses, options.path);
    return new ZookeeperLibraryStore(await connectCluster(options), options);
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
        return { type: 'create', path, data: bytesOf(operation.data), acl: this.acl };
      case 'update':
        return { type: 'setData', path, data: bytesOf(operation.data), version: operation.version };
      case 'remove':
        return { type: 'remove', path, version: operation.version };
    }
  }
}

/** A node's kind follows from its data and children. */
function kindOf(bytes: number, childCount: number): StoredNode['kind'] {
  if (childCount > 0) return bytes > 0 ? 'both' : 'folder';
  return bytes > 0 ? 'file' : 'empty';
}

/** A session in a cluster, for any number of libraries. */
export class ZookeeperCluster {
  private constructor(
    private readonly client: ZookeeperClient,
    private readonly options: ZookeeperClusterOptions,
  ) {}

  /** @throws what `connectCluster` throws */
  static async connect(options: ZookeeperClusterOptions): Promise<ZookeeperCluster> {
    return new ZookeeperCluster(await connectCluster(options), options);
  }

  get isOpen(): boolean {
    return this.client.isOpen;
  }

  /**
   * Closing the store that is returned ends the session of all libraries.
   *
   * @throws {RangeError} if the path cannot hold a library
   */
  library(path: string): ZookeeperLibraryStore {
    return new ZookeeperLibraryStore(this.client, { ...this.options, path });
  }

  async close(): Promise<void> {
    await this.client.close();
  }
}
