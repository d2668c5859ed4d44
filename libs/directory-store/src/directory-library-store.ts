import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import {
  DamagedLockError,
  FileLockedError,
  holdsFileLock,
  isFileLockAbandoned,
  makeFolders,
  takeFileLock,
  TimeSlice,
  writeFlushed,
} from '@svc/foundation/files';
import {
  bytesOf,
  type LibraryLock,
  LibraryLockedError,
  type LibraryStore,
  type LockHolder,
  LockLostError,
  type StoreArea,
  type StoredNode,
  StoreUnreachableError,
  UnreadableStateError,
  WriteConflictError,
  type WriteOperation,
} from '@svc/library-sync';
import { assertBatchFits } from './assert-batch-fits.js';
import { FILE_MODE, list, removeNode, status, syncFiles, writeWhole } from './node-files.js';
import { readNode, readTree } from './read-nodes.js';

export interface DirectoryStoreOptions {
  /** Stands in for the cluster: the library is in `<folder>/<path>`, the loader's own files in `<folder>/.svccmd`. */
  readonly folder: string;
  readonly path: string;
}

/**
 * A library in a folder, for hosts without a cluster. Files are replaced atomically; batches are checked beforehand.
 */
export class DirectoryLibraryStore implements LibraryStore {
  readonly name: string;
  readonly rootBytes = 0;
  readonly countsVersions = false;
  readonly isAtomic = false;
  readonly filesHoldChildren = false;
  readonly isOpen = true;
  private readonly roots: Readonly<Record<StoreArea, string>>;
  /** Folder for files being written: hidden from readers, and on the same file system for renaming. */
  private readonly drafts: string;
  /** Serializes batches: one may depend on what the previous one writes. */
  private turn: Promise<void> = Promise.resolve();
  /** The library's files written since its state was. */
  private readonly unsynced = new Set<string>();

  private constructor(folder: string, path: string) {
    const library = join(folder, path);
    this.name = `folder ${library}`;
    const name = encodeURIComponent(path.split('/').filter(Boolean).join('/')) || '%2F';
    this.roots = { library, state: join(folder, '.svccmd', name) };
    this.drafts = join(this.roots.state, 'drafts');
  }

  /**
   * Creates nothing, so that read-only commands leave no trace. Folders are created by locking and `prepare`.
   *
   * @throws {RangeError} if the path leads out of the folder
   * @throws {StoreUnreachableError} if the folder exists but cannot be used
   */
  static async open({ folder, path }: DirectoryStoreOptions): Promise<DirectoryLibraryStore> {
    const root = resolve(folder);
    if (!join(root, path, sep).startsWith(join(root, sep)) || path.split('/').includes('..')) {
      throw new RangeError(`${path} leads out of the folder ${root}`);
    }
    await assertUsable(root);
    return new DirectoryLibraryStore(root, path);
  }

  stateNode(path: string): string {
    return this.absolute('state', path);
  }

  async readTree(visit: (node: StoredNode) => void): Promise<void> {
    await readTree(this.roots.library, (node) => visit({ area: 'library', ...node })).catch(toUnreachable);
  }

  async read(area: StoreArea, paths: readonly string[]): Promise<ReadonlyMap<string, StoredNode>> {
    const found = new Map<string, StoredNode>();
    const turns = new TimeSlice();
    for (const path of paths) {
      const node = attempt(() => readNode(this.roots[area], path));
      if (node) found.set(path, { area, ...node });
      if (turns.isUsedUp) await turns.next();
    }
    return found;
  }

  async children(area: StoreArea, path: string): Promise<readonly string[]> {
    const entries = attempt(() => list(this.absolute(area, path)));
    return (entries ?? []).map(({ name }) => name);
  }

  async lock(holder: LockHolder, waitMs: number, signal?: AbortSignal): Promise<LibraryLock> {
    await makeFolders(this.roots.state).catch(toUnreachable);
    return takeFileLock(this.lockFile, holder, { waitMs, signal }).catch(this.toLockError);
  }

  async isLockAbandoned(): Promise<boolean> {
    return isFileLockAbandoned(this.lockFile).catch(this.toLockError);
  }

  async prepare(_lock: LibraryLock): Promise<void> {
    // Removes leftovers of a killed load; the lock excludes others.
    await rm(this.drafts, { recursive: true, force: true }).catch(toUnreachable);
    await makeFolders(this.drafts).catch(toUnreachable);
    await makeFolders(this.roots.library).catch(toUnreachable);
  }

  async apply(batch: readonly WriteOperation[], lock: LibraryLock): Promise<void> {
    const applied = this.turn.then(async () => this.applyAlone(batch, lock));
    this.turn = applied.catch(() => undefined);
    return applied;
  }

  async close(): Promise<void> {
    // Nothing stays open between calls.
  }

  private async applyAlone(batch: readonly WriteOperation[], lock: LibraryLock): Promise<void> {
    if (!(await holdsFileLock(this.lockFile, lock.holder).catch(this.toLockError))) {
      throw new LockLostError('the lock file belongs to someone else');
    }
    attempt(() => assertBatchFits(batch, this.roots));
    const turns = new TimeSlice();
    for (const operation of batch) {
      await this.write(operation).catch(unusable(this.absolute(operation.area, operation.path)));
      if (turns.isUsedUp) await turns.next();
    }
    // An acknowledged batch is on the disk, even if no state follows.
    await this.syncWritten().catch(unusable(this.roots.library));
  }

  /** A full or read-only disk, unlike an abort, makes the store unusable. */
  private readonly toLockError = (error: unknown): never => {
    if (error instanceof FileLockedError) throw new LibraryLockedError(error.holder);
    if (error instanceof DamagedLockError) throw UnreadableStateError.damaged(error.path, 'it has no holder');
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    throw new StoreUnreachableError(`cannot use ${this.lockFile} (${code})`, { cause: error });
  };

  private get lockFile(): string {
    return join(this.roots.state, 'lock');
  }

  private absolute(area: StoreArea, path: string): string {
    return join(this.roots[area], path);
  }

  private async write(operation: WriteOperation): Promise<void> {
    const target = this.absolute(operation.area, operation.path);
    if (operation.type === 'remove') return removeNode(target);
    if (operation.kind === 'folder') {
      if (operation.type === 'update') rmSync(target, { force: true });
      mkdirSync(target);
      return;
    }
    if (operation.type === 'update' && status(target)?.isDirectory()) removeNode(target);
    const draft = join(this.drafts, randomUUID());
    const data = bytesOf(operation.data);
    if (operation.area === 'library') {
      writeWhole(target, data, draft);
      this.unsynced.add(target);
      return;
    }
    // First what the state may declare as loaded: loads skip an unchanged source without comparing the library.
    await this.syncWritten();
    await writeFlushed(target, { data, draft, mode: FILE_MODE });
  }

  private async syncWritten(): Promise<void> {
    await syncFiles(this.unsynced);
    this.unsynced.clear();
  }
}

async function assertUsable(folder: string): Promise<void> {
  const found = await stat(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') toUnreachable(error);
  });
  if (found && !found.isDirectory()) throw new StoreUnreachableError(`cannot use ${folder} (ENOTDIR)`);
}

function attempt<T>(look: () => T): T {
  try {
    return look();
  } catch (error) {
    if (error instanceof WriteConflictError) throw error;
    return toUnreachable(error as NodeJS.ErrnoException);
  }
}

function toUnreachable(error: NodeJS.ErrnoException): never {
  return unusable('the folder')(error);
}

/** @param place for errors that do not name one, such as of a full disk */
function unusable(place: string): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    throw new StoreUnreachableError(`cannot use ${error.path ?? place} (${error.code ?? error.message})`, {
      cause: error,
    });
  };
}
