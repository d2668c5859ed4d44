import { type Library, contentHash } from './checks/check-library.js';
import type { FileContent } from './ports/file-content.js';
import type { LibraryFinding } from './ports/library-finding.js';
import type { StoredNode } from './ports/library-store.js';
import { isAsRecorded, type PathList } from './path-list.js';
import { MAX_RAISES, type VersionHistory, versionToExceed } from './version-history.js';

/** The properties of a stored node that planning needs. */
export interface StoredEntry extends Pick<StoredNode, 'version' | 'kind' | 'hidesOthers' | 'isTemporary'> {
  /** See `contentHash`. */
  readonly hash: string;
  readonly bytes: number;
}

/**
 * `owned` removes nodes of earlier loads that the source no longer has, `all` removes every node that the source does
 * not have, `none` removes nothing.
 */
export type PruneMode = 'owned' | 'all' | 'none';

export interface SyncStep {
  readonly action: 'create' | 'update' | 'remove';
  readonly path: string;
  readonly kind: 'file' | 'folder';
  /** Empty for folders and removals. */
  readonly data: FileContent;
  /** Version of the stored node; absent for `create`. */
  readonly version?: number;
  /** Extra writes needed for the node's version to exceed its previous ones; see `VersionHistory`. */
  readonly raises?: number;
}

export interface SyncPlan {
  /** In write order: parents before children, removals last and deepest first. */
  readonly steps: readonly SyncStep[];
  /** Files and folders that are up to date. */
  readonly unchanged: number;
  /** Nodes neither in the source nor written by a load: left alone. */
  readonly foreign: readonly string[];
  /** Nodes kept because of `prune: none`, others' nodes below them, or others' data on a folder's node. */
  readonly kept: readonly string[];
  /** The unreadable nodes among `foreign` and `kept`. */
  readonly unreadable: readonly string[];
  readonly problems: readonly LibraryFinding[];
}

/** The planner's input besides the library. */
export interface PlanState {
  readonly stored: ReadonlyMap<string, StoredEntry>;
  /** What the last finished load wrote: path → hash; folders end with `/`. */
  readonly recorded: ReadonlyMap<string, string>;
  /** Paths written by loads, including interrupted ones. */
  readonly owned: ReadonlySet<string>;
  /** The paths in `owned` that were written as files. */
  readonly ownedFiles: ReadonlySet<string>;
  /** See `LibraryStore.filesHoldChildren`. */
  readonly filesHoldChildren: boolean;
  /** Absent if the store does not count versions. */
  readonly history: VersionHistory | undefined;
}

const NOTHING = new Uint8Array();

/**
 * Compares a library with the stored one and plans the writes. Unchanged nodes are never written, since that would
 * make every consumer reload. Changed nodes are updated in place, since consumers would not notice a node that is
 * deleted and recreated.
 *
 * @param restored what the load that is restored recorded: nodes that still match it are not removed
 */
export function planSync(
  library: Library,
  state: PlanState,
  prune: PruneMode,
  restored: PathList = new Map(),
): SyncPlan {
  const { stored } = state;
  const removals = planRemovals(library, state, prune, restored);
  const writes = planWrites(library, state);
  const removed = new Set(removals.steps.map(({ path }) => path));
  const { early, late, problems } = placeRemovals(removals.steps, removed, writes.toFile, stored);
  return {
    steps: [...early, ...writes.steps, ...late],
    unchanged: writes.unchanged,
    foreign: removals.foreign,
    kept: removals.kept,
    unreadable: [...removals.foreign, ...removals.kept].filter((path) => isUnreadable(path, state)),
    problems: [
      ...problems,
      ...findTemporary(library, stored),
      ...writes.steps.flatMap((step) => findProblem(step, state, prune)),
    ],
  };
}

function planWrites(
  library: Library,
  state: PlanState,
): { steps: SyncStep[]; unchanged: number; toFile: string[] } {
  const creates: SyncStep[] = [];
  const toFolder: SyncStep[] = [];
  const updates: SyncStep[] = [];
  const toFile: string[] = [];
  const plan = (path: string, kind: SyncStep['kind'], data: FileContent, updating: SyncStep[]): void => {
    const node = state.stored.get(path);
    const exceed = versionToExceed(path, state);
    const raises = exceed === undefined ? {} : { raises: exceed - (node?.version ?? -1) };
    if (node) updating.push({ action: 'update', path, kind, data, version: node.version, ...raises });
    else creates.push({ action: 'create', path, kind, data, ...raises });
  };
  for (const path of library.folders) {
    if (!isFolderInPlace(path, state)) plan(path, 'folder', NOTHING, toFolder);
  }
  for (const [path, { data, hash }] of library.files) {
    const node = state.stored.get(path);
    const isInPlace = node?.hash === hash && node.kind !== 'folder';
    if (!isInPlace || versionToExceed(path, state) !== undefined)
      plan(path, 'file', verifiedContent(data, hash, path), updates);
    if (node?.kind === 'folder') toFile.push(path);
  }
  // A parent's path is a prefix of its children's, so it sorts before them.
  const steps = [toFolder, creates, updates].flatMap((one) => one.sort(byPath));
  return { steps, unchanged: library.folders.size + library.files.size - steps.length, toFile };
}

/** A folder's node may hold others' data, which is kept; data from when a load wrote it as a file is not. */
function isFolderInPlace(path: string, state: PlanState): boolean {
  const node = state.stored.get(path);
  if (!node) return false;
  if (node.kind === 'file' || node.kind === 'both')
    return state.filesHoldChildren && !state.ownedFiles.has(path);
  return versionToExceed(path, state) === undefined;
}

const isUnreadable = (path: string, { stored }: PlanState): boolean =>
  stored.get(path)?.kind === 'unreadable';

/** True if the node or one of its parents is unreadable. */
export function isHidden(path: string, stored: PlanState['stored']): boolean {
  return [...parentsOf(path), path].some((one) => stored.get(one)?.kind === 'unreadable');
}

/** The folders that a path is in, outermost first. */
function parentsOf(path: string): string[] {
  const parents: string[] = [];
  for (let end = path.indexOf('/'); end >= 0; end = path.indexOf('/', end + 1))
    parents.push(path.slice(0, end));
  return parents;
}

/** The reason a node cannot be written, if any. */
function findProblem(step: SyncStep, state: PlanState, prune: PruneMode): LibraryFinding[] {
  const { path, version = -1, raises = 0 } = step;
  if (isHidden(path, state.stored)) return [{ ...UNREADABLE, path }];
  if (prune !== 'all' && isInTheWay(step, state)) return [{ ...BLOCKED_FOLDER, path }];
  if (raises <= MAX_RAISES) return [];
  const message = `had version ${version + raises} in the destination: consumers would mistake a new node with a lower version for an unchanged one; rename it`;
  return [{ severity: 'error', code: 'version-too-high', path, message }];
}

/** True for a folder whose place has a file that no load wrote; what replaced a loaded folder is overwritten. */
function isInTheWay({ path, kind }: SyncStep, state: PlanState): boolean {
  if (kind !== 'folder' || state.filesHoldChildren || state.stored.get(path)?.kind !== 'file') return false;
  return !state.ownedFiles.has(path) && !state.recorded.has(`${path}/`);
}

/** Such a node cannot hold what the source has at its path: it vanishes, without a change of version, and has no children. */
function findTemporary(library: Library, stored: PlanState['stored']): LibraryFinding[] {
  return [...stored]
    .filter(
      ([path, { isTemporary }]) => isTemporary && (library.files.has(path) || library.folders.has(path)),
    )
    .map(([path]) => ({ ...TEMPORARY, path }));
}

const TEMPORARY = {
  severity: 'error',
  code: 'node-temporary',
  message:
    "is in the source, but in the destination it is an ephemeral node of another ZooKeeper client, which disappears with that client's session; remove or rename one",
} as const;

const UNREADABLE = {
  severity: 'error',
  code: 'node-unreadable',
  message:
    'is in the source, but in the destination the node, or one above it, belongs to another client and cannot be read (no permission); set destination.auth to a user who may read it, or rename one',
} as const;

function planRemovals(
  library: Library,
  { stored, owned, ownedFiles }: PlanState,
  prune: PruneMode,
  restored: PathList,
): { steps: SyncStep[]; foreign: string[]; kept: string[] } {
  const steps: SyncStep[] = [];
  const foreign: string[] = [];
  const kept: string[] = [];
  const occupied = new Set<string>();
  const surplus = [...stored].filter(([path]) => !library.files.has(path) && !library.folders.has(path));
  for (const [path, node] of surplus.sort(([a], [b]) => compare(b, a))) {
    // If a load wrote this path before, another client has replaced the node.
    const mine = prune === 'all' || (owned.has(path) && !node.isTemporary);
    // Unreadable data may belong to others.
    const holdsOthersData = node.kind === 'unreadable' || (node.bytes > 0 && !ownedFiles.has(path));
    const isOurs = prune === 'all' || !holdsOthersData;
    const isKept = prune === 'none' || occupied.has(path) || isAsRecorded(path, node, restored);
    if (mine && !isKept && !node.hidesOthers && isOurs) {
      const kind = node.kind === 'folder' ? 'folder' : 'file';
      steps.push({ action: 'remove', path, kind, data: NOTHING, version: node.version });
      continue;
    }
    (mine ? kept : foreign).push(path);
    occupied.add(parentOf(path));
  }
  return { steps, foreign: foreign.reverse(), kept: kept.reverse() };
}

/** A folder that becomes a file is emptied first; nodes that cannot be removed are a problem. */
function placeRemovals(
  removals: readonly SyncStep[],
  removed: ReadonlySet<string>,
  toFile: readonly string[],
  stored: ReadonlyMap<string, StoredEntry>,
): { early: SyncStep[]; late: SyncStep[]; problems: LibraryFinding[] } {
  const folders = new Set(toFile);
  const occupied = new Set<string>();
  for (const path of folders.size > 0 ? stored.keys() : []) {
    if (removed.has(path)) continue;
    for (const parent of parentsOf(path)) if (folders.has(parent)) occupied.add(parent);
  }
  const early: SyncStep[] = [];
  const late: SyncStep[] = [];
  for (const step of removals)
    (parentsOf(step.path).some((parent) => folders.has(parent)) ? early : late).push(step);
  const blocked = toFile.filter((path) => occupied.has(path) || stored.get(path)!.hidesOthers);
  return { early, late, problems: blocked.map((path) => ({ ...BLOCKED_FILE, path })) };
}

const BLOCKED_FILE = {
  severity: 'error',
  code: 'folder-in-the-way',
  message:
    'is a file in the source, but in the destination it is a folder that contains nodes which this load may not remove; remove or rename one',
} as const;

const BLOCKED_FOLDER = {
  severity: 'error',
  code: 'file-in-the-way',
  message:
    'is a folder in the source, but in the destination it is a file or link that no load wrote; remove or rename one',
} as const;

function byPath(a: SyncStep, b: SyncStep): number {
  return compare(a.path, b.path);
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/**
 * A content that, when read again for writing, must still equal what was checked.
 *
 * @param hash see `contentHash`
 */
function verifiedContent(content: FileContent, hash: string, path: string): FileContent {
  if (!('read' in content)) return content;
  return {
    length: content.length,
    read: () => {
      const data = content.read();
      if (contentHash(data) === hash) return data;
      throw new Error(`the content of ${path} is no longer what was checked; run the load again`);
    },
  };
}
