import { bytesOf } from '../ports/file-content.js';
import {
  type LibraryLock,
  LibraryLockedError,
  type LibraryStore,
  type LockHolder,
  LockLostError,
  type StoreArea,
  type StoredNode,
  WriteConflictError,
  type WriteOperation,
} from '../ports/library-store.js';

interface MemoryNode {
  readonly data: Uint8Array;
  readonly version: number;
  readonly isTemporary?: true;
}

/** The state that several `MemoryLibraryStore`s share, like clients of one cluster. */
export class MemoryCluster {
  readonly nodes: Readonly<Record<StoreArea, Map<string, MemoryNode>>> = {
    library: new Map(),
    state: new Map(),
  };
  /** Unreadable paths in the library. */
  readonly unreadable = new Set<string>();
  holder: LockHolder | undefined;
}

/** An in-memory store that behaves like ZooKeeper: nodes hold data and children, batches are atomic. */
export class MemoryLibraryStore implements LibraryStore {
  readonly name = 'memory';
  readonly rootBytes: number = 10;
  readonly maxRequestBytes: number | undefined = undefined;
  readonly countsVersions = true;
  readonly isAtomic: boolean = true;
  readonly filesHoldChildren = true;
  readonly isOpen = true;

  constructor(readonly cluster = new MemoryCluster()) {}

  stateNode(path: string): string {
    return `memory:${path}`;
  }

  async readTree(visit: (node: StoredNode) => void): Promise<void> {
    const nodes = this.describe('library');
    const isBelowUnreadable = (path: string) =>
      [...this.cluster.unreadable].some((one) => path.startsWith(`${one}/`));
    for (const path of [...nodes.keys()].sort()) {
      if (path.split('/').some((name) => name.startsWith('.')) || isBelowUnreadable(path)) continue;
      const node = nodes.get(path)!;
      visit(this.cluster.unreadable.has(path) ? toUnreadable(node) : node);
    }
  }

  async read(area: StoreArea, paths: readonly string[]): Promise<ReadonlyMap<string, StoredNode>> {
    const nodes = this.describe(area);
    const wanted = new Set(paths);
    return new Map([...nodes].filter(([path]) => wanted.has(path)));
  }

  async children(area: StoreArea, path: string): Promise<readonly string[]> {
    const prefix = path === '' ? '' : `${path}/`;
    const below = [...this.cluster.nodes[area].keys()].filter((one) => one.startsWith(prefix));
    return below.map((one) => one.slice(prefix.length)).filter((name) => !name.includes('/'));
  }

  async lock(holder: LockHolder, waitMs: number): Promise<LibraryLock> {
    const end = performance.now() + waitMs;
    while (this.cluster.holder) {
      if (performance.now() >= end) throw new LibraryLockedError(this.cluster.holder);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    this.cluster.holder = holder;
    return {
      holder,
      release: async () => {
        if (this.cluster.holder?.id === holder.id) this.cluster.holder = undefined;
      },
    };
  }

  async prepare(_lock: LibraryLock): Promise<void> {
    // The roots are always there.
  }

  async apply(batch: readonly WriteOperation[], lock: LibraryLock): Promise<void> {
    if (this.cluster.holder?.id !== lock.holder.id) throw new LockLostError('the lock is not held');
    const before = new Map(
      batch.map(({ area, path }) => [`${area} ${path}`, this.cluster.nodes[area].get(path)]),
    );
    try {
      for (const operation of batch) write(this.cluster.nodes[operation.area], operation);
    } catch (error) {
      for (const { area, path } of batch) {
        const node = before.get(`${area} ${path}`);
        if (node) this.cluster.nodes[area].set(path, node);
        else this.cluster.nodes[area].delete(path);
      }
      throw error;
    }
  }

  async close(): Promise<void> {
    // Nothing is open.
  }

  private describe(area: StoreArea): Map<string, StoredNode> {
    const nodes = this.cluster.nodes[area];
    const parents = new Set([...nodes.keys()].map(parentOf));
    const hiders = new Set([...nodes.keys()].filter((path) => nameOf(path).startsWith('.')).map(parentOf));
    return new Map(
      [...nodes].map(([path, node]) => {
        const kind = kindOf(node.data.length, parents.has(path));
        return [path, { area, path, ...node, kind, hidesOthers: hiders.has(path) }];
      }),
    );
  }
}

function toUnreadable(node: StoredNode): StoredNode {
  const hidesOthers = node.kind === 'folder' || node.kind === 'both';
  return { ...node, data: new Uint8Array(), kind: 'unreadable', hidesOthers };
}

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

function kindOf(bytes: number, isParent: boolean): StoredNode['kind'] {
  if (isParent) return bytes > 0 ? 'both' : 'folder';
  return bytes > 0 ? 'file' : 'empty';
}

function write(nodes: Map<string, MemoryNode>, operation: WriteOperation): void {
  const { area, path, type } = operation;
  const node = nodes.get(path);
  const parent = parentOf(path);
  if (type === 'create') {
    if (node) throw new WriteConflictError(area, path, 'already exists');
    if (parent !== '' && !nodes.has(parent)) throw new WriteConflictError(area, path, 'has no parent');
    nodes.set(path, { data: bytesOf(operation.data), version: 0 });
    return;
  }
  if (!node) throw new WriteConflictError(area, path, 'is gone');
  if (operation.version !== -1 && operation.version !== node.version) {
    throw new WriteConflictError(area, path, 'was written');
  }
  if (type === 'update') nodes.set(path, { data: bytesOf(operation.data), version: node.version + 1 });
  else if (node.data.length === 0 && [...nodes.keys()].some((one) => one.startsWith(`${path}/`))) {
    throw new WriteConflictError(area, path, 'has new children');
  } else nodes.delete(path);
}
