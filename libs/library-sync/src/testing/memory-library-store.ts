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
} from '../library-store.js';

interface MemoryNode {
  readonly data: Uint8Array;
  readonly version: number;
}

/** What several `MemoryLibraryStore`s share, as clients of a cluster share its nodes. */
export class MemoryCluster {
  readonly nodes: Record<StoreArea, Map<string, MemoryNode>> = { library: new Map(), state: new Map() };
  holder: LockHolder | undefined;
}

/** A store in memory that behaves like ZooKeeper's: nodes hold data and children, a batch is all or nothing. */
export class MemoryLibraryStore implements LibraryStore {
  readonly name = 'memory';
  readonly rootBytes = 10;

  constructor(readonly cluster = new MemoryCluster()) {}

  async readTree(visit: (node: StoredNode) => void): Promise<void> {
    const paths = [...this.cluster.nodes.library.keys()].sort();
    for (const path of paths) {
      if (!path.split('/').some((name) => name.startsWith('.'))) visit(this.node('library', path)!);
    }
  }

  async read(area: StoreArea, paths: readonly string[]): Promise<ReadonlyMap<string, StoredNode>> {
    return new Map(
      paths.flatMap((path) => {
        const node = this.node(area, path);
        return node ? [[path, node] as const] : [];
      }),
    );
  }

  async children(area: StoreArea, path: string): Promise<readonly string[]> {
    const prefix = path === '' ? '' : `${path}/`;
    const below = [...this.cluster.nodes[area].keys()].filter((one) => one.startsWith(prefix));
    return below.map((one) => one.slice(prefix.length)).filter((name) => !name.includes('/'));
  }

  async lock(holder: LockHolder, waitMs: number): Promise<LibraryLock> {
    const end = Date.now() + waitMs;
    while (this.cluster.holder) {
      if (Date.now() >= end) throw new LibraryLockedError(this.cluster.holder);
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
    const draft = { library: new Map(this.cluster.nodes.library), state: new Map(this.cluster.nodes.state) };
    for (const operation of batch) write(draft[operation.area], operation);
    this.cluster.nodes.library = draft.library;
    this.cluster.nodes.state = draft.state;
  }

  async close(): Promise<void> {
    // Nothing is open.
  }

  private node(area: StoreArea, path: string): StoredNode | undefined {
    const node = this.cluster.nodes[area].get(path);
    if (!node) return undefined;
    const below = [...this.cluster.nodes[area].keys()].filter((one) => one.startsWith(`${path}/`));
    const hidesOthers = below.some((one) => one.startsWith(`${path}/.`));
    return { area, path, ...node, kind: kindOf(node.data.length, below.length), hidesOthers };
  }
}

function kindOf(bytes: number, children: number): StoredNode['kind'] {
  if (children > 0) return bytes > 0 ? 'both' : 'folder';
  return bytes > 0 ? 'file' : 'empty';
}

function write(nodes: Map<string, MemoryNode>, operation: WriteOperation): void {
  const { area, path, type } = operation;
  const node = nodes.get(path);
  const parent = path.slice(0, Math.max(0, path.lastIndexOf('/')));
  if (type === 'create') {
    if (node) throw new WriteConflictError(area, path, 'is there already');
    if (parent !== '' && !nodes.has(parent)) throw new WriteConflictError(area, path, 'has no parent');
    nodes.set(path, { data: operation.data, version: 0 });
    return;
  }
  if (!node) throw new WriteConflictError(area, path, 'is gone');
  if (operation.version !== -1 && operation.version !== node.version) {
    throw new WriteConflictError(area, path, 'was written');
  }
  if (type === 'update') nodes.set(path, { data: operation.data, version: node.version + 1 });
  else if ([...nodes.keys()].some((one) => one.startsWith(`${path}/`))) {
    throw new WriteConflictError(area, path, 'has got new children');
  } else nodes.delete(path);
}
