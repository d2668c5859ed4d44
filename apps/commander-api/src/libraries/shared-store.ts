import type {
  LibraryLock,
  LibraryStore,
  LockHolder,
  StoreArea,
  StoredNode,
  WriteOperation,
} from '@svc/library-sync';
import { inChildSpan } from '@svc/service-kit/spans';
import type { CommanderConfig } from '../config/commander-config.js';
import { LockQueue } from './lock-queue.js';
import { openConfiguredStore, type StoreOptions } from './open-library.js';

/** A connection and its number of users. */
interface Connection {
  readonly options: StoreOptions;
  readonly opening: Promise<LibraryStore>;
  store?: LibraryStore;
  users: number;
}

/**
 * Shares one connection per destination within the process: a cluster limits sessions per host (`maxClientCnxns`), and
 * consumers need some, too.
 */
class SharedDestination {
  private readonly queue = new LockQueue();
  private current: Connection | undefined;

  async use<T>(
    config: CommanderConfig,
    use: (store: LibraryStore) => Promise<T>,
    options: StoreOptions,
  ): Promise<T> {
    const connection = this.connect(config, options);
    connection.users += 1;
    try {
      return await use(new QueuedStore(await connection.opening, this.queue));
    } finally {
      connection.users -= 1;
      if (connection.users === 0) await this.disconnect(connection);
    }
  }

  /** Does not reuse a closed connection, nor one that must not create a chroot that this user may create. */
  private connect(config: CommanderConfig, options: StoreOptions): Connection {
    const { current } = this;
    const isAllowed = !options.createChroot || current?.options.createChroot;
    if (current && isAllowed && current.store?.isOpen !== false) return current;
    const opening = openConfiguredStore(config, options);
    const connection: Connection = { options, opening, users: 0 };
    connection.opening.then(
      (store) => (connection.store = store),
      () => undefined,
    );
    this.current = connection;
    return connection;
  }

  private async disconnect(connection: Connection): Promise<void> {
    if (this.current === connection) this.current = undefined;
    await connection.store?.close();
  }
}

const destinations = new WeakMap<CommanderConfig['destination'], SharedDestination>();

/** Connects to the configured destination, or reuses the connection; the last user disconnects. */
export async function withStore<T>(
  config: CommanderConfig,
  use: (store: LibraryStore) => Promise<T>,
  options: StoreOptions = {},
): Promise<T> {
  const shared = destinations.get(config.destination) ?? new SharedDestination();
  destinations.set(config.destination, shared);
  return shared.use(config, use, options);
}

/** A store that queues for the lock in this process first, so that only one caller polls the destination for it. */
class QueuedStore implements LibraryStore {
  readonly name: string;
  readonly rootBytes: number;
  readonly maxRequestBytes: number | undefined;
  readonly countsVersions: boolean;

  constructor(
    private readonly store: LibraryStore,
    private readonly queue: LockQueue,
  ) {
    this.name = store.name;
    this.rootBytes = store.rootBytes;
    this.maxRequestBytes = store.maxRequestBytes;
    this.countsVersions = store.countsVersions;
  }

  get isOpen(): boolean {
    return this.store.isOpen;
  }

  async lock(holder: LockHolder, waitMs: number, signal?: AbortSignal): Promise<LibraryLock> {
    const end = Date.now() + waitMs;
    const leave = waitMs > 0 ? await this.queue.enter(waitMs, signal) : undefined;
    // Without waiting, or after a timeout, ask once: the error names the holder.
    if (!leave) return this.store.lock(holder, 0, signal);
    try {
      const lock = await this.store.lock(holder, Math.max(0, end - Date.now()), signal);
      return { holder: lock.holder, release: async () => lock.release().finally(leave) };
    } catch (error) {
      leave();
      throw error;
    }
  }

  stateNode(path: string): string {
    return this.store.stateNode(path);
  }

  async readTree(visit: (node: StoredNode) => void): Promise<void> {
    return this.store.readTree(visit);
  }

  async read(area: StoreArea, paths: readonly string[]): Promise<ReadonlyMap<string, StoredNode>> {
    return this.store.read(area, paths);
  }

  async children(area: StoreArea, path: string): Promise<readonly string[]> {
    return this.store.children(area, path);
  }

  async prepare(lock: LibraryLock): Promise<void> {
    return this.store.prepare(lock);
  }

  async apply(batch: readonly WriteOperation[], lock: LibraryLock): Promise<void> {
    const system = this.name.startsWith('zookeeper ') ? 'zookeeper' : 'folder';
    const attributes = { 'db.system.name': system, 'db.operation.batch.size': batch.length };
    return inChildSpan(`${system} batch`, { kind: 'client', attributes }, async () =>
      this.store.apply(batch, lock),
    );
  }

  async close(): Promise<void> {
    return this.store.close();
  }
}
