import type { LibraryStore } from '@svc/library-sync';
import type { CommanderConfig } from '../config/commander-config.js';
import { LockQueue } from './lock-queue.js';
import { openConfiguredStore, type StoreOptions } from './open-library.js';
import { QueuedStore } from './queued-store.js';

/** A connection, and how many use it. */
interface Connection {
  readonly options: StoreOptions;
  readonly opening: Promise<LibraryStore>;
  store?: LibraryStore;
  users: number;
}

/**
 * What a process does at one destination at the same time goes over one connection: a cluster grants a host few sessions
 * (`maxClientCnxns`), which its consumers need too.
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

  /** A connection that ended for good, or that refuses a chroot to be made, is left to those who have it. */
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

/** Connects to the configured destination, or joins who is connected to it; the last one disconnects. */
export async function withStore<T>(
  config: CommanderConfig,
  use: (store: LibraryStore) => Promise<T>,
  options: StoreOptions = {},
): Promise<T> {
  const shared = destinations.get(config.destination) ?? new SharedDestination();
  destinations.set(config.destination, shared);
  return shared.use(config, use, options);
}
