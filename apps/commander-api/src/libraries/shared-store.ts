import type {
  LibraryLock,
  LibraryStore,
  LockHolder,
  StoreArea,
  StoredNode,
  WriteOperation,
} from '@svc/library-sync';
import { inChildSpan } from '@svc/service-kit/spans';
import type { LibrarySettings } from '../config/commander-config.js';
import { LockQueue } from './lock-queue.js';
import { assertDestination, type Destination, openDestination, type StoreOptions } from './open-library.js';

/** A connection and its number of users. */
interface Connection {
  readonly options: StoreOptions;
  readonly opening: Promise<Destination>;
  /** One per library. */
  readonly stores: Map<string, Promise<LibraryStore>>;
  destination?: Destination;
  users: number;
}

/**
 * Shares one connection per destination within the process: a cluster limits sessions per host (`maxClientCnxns`), and
 * consumers need some, too. Each library has its own queue for its own lock.
 */
class SharedDestination {
  private readonly queues = new Map<string, LockQueue>();
  private current: Connection | undefined;
  private users = 0;

  constructor(private readonly onUnused: () => void) {}

  async use<T>(
    library: LibrarySettings,
    use: (store: LibraryStore) => Promise<T>,
    options: StoreOptions,
  ): Promise<T> {
    const { path } = library.destination;
    const connection = this.connect(library, options);
    const queue = this.queues.get(path) ?? new LockQueue();
    this.queues.set(path, queue);
    connection.users += 1;
    this.users += 1;
    try {
      return await use(new QueuedStore(await openStore(connection, path), queue));
    } finally {
      connection.users -= 1;
      this.users -= 1;
      if (this.users === 0) this.onUnused();
      if (connection.users === 0) await this.disconnect(connection);
    }
  }

  /** Does not reuse a closed connection, nor one that must not create the chroot if this user may. */
  private connect(library: LibrarySettings, options: StoreOptions): Connection {
    const { current } = this;
    const isAllowed = !options.createChroot || current?.options.createChroot;
    if (current && isAllowed && current.destination?.isOpen !== false) return current;
    const opening = openDestination(library, options);
    const connection: Connection = { options, opening, stores: new Map(), users: 0 };
    connection.opening.then(
      (destination) => (connection.destination = destination),
      () => undefined,
    );
    this.current = connection;
    return connection;
  }

  private async disconnect(connection: Connection): Promise<void> {
    if (this.current === connection) this.current = undefined;
    await connection.destination?.close();
  }
}

async function openStore({ opening, stores }: Connection, path: string): Promise<LibraryStore> {
  const destination = await opening;
  const store = stores.get(path) ?? destination.library(path);
  stores.set(path, store);
  return store;
}

const destinations = new Map<string, SharedDestination>();

/** Libraries share a connection if their addresses and all session settings are equal. */
function connectionKey({ destination }: LibrarySettings): string {
  const { path: _path, names: _names, version_node: _versionNode, ...session } = destination;
  return JSON.stringify(Object.entries(session).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Connects to the destination of a library, or reuses the connection; the last user disconnects.
 *
 * @throws {CommanderError} configuration
 */
export async function withStore<T>(
  library: LibrarySettings,
  use: (store: LibraryStore) => Promise<T>,
  options: StoreOptions = {},
): Promise<T> {
  await assertDestination(library);
  const key = connectionKey(library);
  const shared = destinations.get(key) ?? new SharedDestination(() => destinations.delete(key));
  destinations.set(key, shared);
  return shared.use(library, use, options);
}

/** A store that queues for the lock in this process first, so that only one caller polls the destination for it. */
class QueuedStore implements LibraryStore {
  readonly name: string;
  readonly rootBytes: number;
  readonly maxRequestBytes: number | undefined;
  readonly countsVersions: boolean;
  readonly isAtomic: boolean;
  readonly filesHoldChildren: boolean;

  constructor(
    private readonly store: LibraryStore,
    private readonly queue: LockQueue,
  ) {
    this.name = store.name;
    this.rootBytes = store.rootBytes;
    this.maxRequestBytes = store.maxRequestBytes;
    this.countsVersions = store.countsVersions;
    this.isAtomic = store.isAtomic;
    this.filesHoldChildren = store.filesHoldChildren;
  }

  get isOpen(): boolean {
    return this.store.isOpen;
  }

  async lock(holder: LockHolder, waitMs: number, signal?: AbortSignal): Promise<LibraryLock> {
    const end = performance.now() + waitMs;
    const leave = waitMs > 0 ? await this.queue.enter(waitMs, signal) : undefined;
    // Without waiting, or after a timeout, ask once: the error names the holder.
    if (!leave) return this.store.lock(holder, 0, signal);
    try {
      const lock = await this.store.lock(holder, Math.max(0, end - performance.now()), signal);
      return { holder: lock.holder, release: async () => lock.release().finally(leave) };
    } catch (error) {
      leave();
      throw error;
    }
  }

  async isLockAbandoned(): Promise<boolean> {
    return (await this.store.isLockAbandoned?.()) ?? false;
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
