import type {
  LibraryLock,
  LibraryStore,
  LockHolder,
  StoreArea,
  StoredNode,
  WriteOperation,
} from '@svc/library-sync';
import type { LockQueue } from './lock-queue.js';

/** A store whose lock is waited for in this process first: one caller alone asks the destination for it, time and again. */
export class QueuedStore implements LibraryStore {
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
    // Who does not wait, or has waited in vain, asks once: the refusal names the holder.
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
    return this.store.apply(batch, lock);
  }

  async close(): Promise<void> {
    return this.store.close();
  }
}
