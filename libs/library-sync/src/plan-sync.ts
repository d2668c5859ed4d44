import type { Library } from './checks/check-library.js';
import type { LibraryFinding } from './ports/library-finding.js';
import type { StoredNode } from './ports/library-store.js';
import { MAX_RAISES, type VersionHistory, versionToExceed } from './version-history.js';

/** What a plan needs to know of a stored node. */
export interface StoredEntry extends Pick<StoredNode, 'version' | 'kind' | 'hidesOthers'> {
  /** See `contentHash`. */
  readonly hash: string;
  readonly bytes: number;
}

/**
 * `owned` removes what an earlier load put there and the source no longer has; `all` removes whatever the source does not
 * have; `none` removes nothing.
 */
export type PruneMode = 'owned' | 'all' | 'none';

export interface SyncStep {
  readonly action: 'create' | 'update' | 'remove';
  readonly path: string;
  readonly kind: 'file' | 'folder';
  /** Empty for folders and removals. */
  readonly data: Uint8Array;
  /** Of the stored node; absent for `create`. */
  readonly version?: number;
  /** How often the node is written again so that its version exceeds those it has had: see `VersionHistory`. */
  readonly raises?: number;
}

export interface SyncPlan {
  /** In the order in which they are to be written: parents before children, removals last and deepest first. */
  readonly steps: readonly SyncStep[];
  /** Files and folders that are as they should be, and are not written. */
  readonly unchanged: number;
  /** Stored, not in the source, and not put there by a load: left alone. */
  readonly foreign: readonly string[];
  /** Would be removed, but for `prune: none`, others' nodes below them or others' data on a folder's node. */
  readonly kept: readonly string[];
  /** Those of `foreign` and `kept` that may not be read. */
  readonly unreadable: readonly string[];
  readonly problems: readonly LibraryFinding[];
}

/** What a plan depends on beside the library. */
export interface PlanState {
  readonly stored: ReadonlyMap<string, StoredEntry>;
  /** What the last finished load put there: path → hash; folders end with `/`. */
  readonly recorded: ReadonlyMap<string, string>;
  /** Paths that loads put there, those that were cut off too. */
  readonly owned: ReadonlySet<string>;
  /** Those of `owned` whose nodes loads put there as files. */
  readonly ownedFiles: ReadonlySet<string>;
  /** Absent where versions are not counted. */
  readonly history: VersionHistory | undefined;
}

const NOTHING = new Uint8Array();

/**
 * Compares a library with what is stored and says what to write. Nodes that are as they should be are never written:
 * an identical write would make every consumer reload. Nodes that changed are updated in place, since a consumer would
 * not notice a node that was deleted and created anew.
 *
 */
export function planSync(library: Library, state: PlanState, prune: PruneMode): SyncPlan {
  const { stored } = state;
  const removals = planRemovals(library, state, prune);
  const writes = planWrites(library, state);
  const removed = new Set(removals.steps.map(({ path }) => path));
  const { early, late, problems } = placeRemovals(removals.steps, removed, writes.toFile, stored);
  return {
    steps: [...early, ...writes.steps, ...late],
    unchanged: writes.unchanged,
    foreign: removals.foreign,
    kept: removals.kept,
    unreadable: [...removals.foreign, ...removals.kept].filter((path) => isUnreadable(path, state)),
    problems: [...problems, ...writes.steps.flatMap((step) => findProblem(step, state))],
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
  const plan = (path: string, kind: SyncStep['kind'], data: Uint8Array, updating: SyncStep[]): void => {
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
    if (!isInPlace || versionToExceed(path, state) !== undefined) plan(path, 'file', data, updates);
    if (node?.kind === 'folder') toFile.push(path);
  }
  // A parent's path is a prefix of its children's, so it sorts before them.
  const steps = [toFolder, creates, updates].flatMap((one) => one.sort(byPath));
  return { steps, unchanged: library.folders.size + library.files.size - steps.length, toFile };
}

/** A folder's node may hold data of others, which stay; data that a load put there as a file's do not. */
function isFolderInPlace(path: string, state: PlanState): boolean {
  const node = state.stored.get(path);
  if (!node) return false;
  if (node.kind === 'file' || node.kind === 'both') return !state.ownedFiles.has(path);
  return versionToExceed(path, state) === undefined;
}

const isUnreadable = (path: string, { stored }: PlanState): boolean =>
  stored.get(path)?.kind === 'unreadable';

/** The node or one above it may not be read. */
export function isHidden(path: string, stored: PlanState['stored']): boolean {
  const names = path.split('/');
  return names.some((_, depth) => stored.get(names.slice(0, depth + 1).join('/'))?.kind === 'unreadable');
}

/** What keeps a node from being written. */
function findProblem({ path, version = -1, raises = 0 }: SyncStep, state: PlanState): LibraryFinding[] {
  if (isHidden(path, state.stored)) return [{ ...UNREADABLE, path }];
  if (raises <= MAX_RAISES) return [];
  const message = `had version ${version + raises} in the destination: consumers would mistake a new node with a lower version for an unchanged one; rename it`;
  return [{ severity: 'error', code: 'version-too-high', path, message }];
}

const UNREADABLE = {
  severity: 'error',
  code: 'node-unreadable',
  message:
    'is in the source, but the node in the destination, or one above it, belongs to others and may not be read; set destination.auth to a user who may read it, or rename one',
} as const;

function planRemovals(
  library: Library,
  { stored, owned, ownedFiles }: PlanState,
  prune: PruneMode,
): { steps: SyncStep[]; foreign: string[]; kept: string[] } {
  const steps: SyncStep[] = [];
  const foreign: string[] = [];
  const kept: string[] = [];
  const occupied = new Set<string>();
  const surplus = [...stored].filter(([path]) => !library.files.has(path) && !library.folders.has(path));
  for (const [path, node] of surplus.sort(([a], [b]) => compare(b, a))) {
    const mine = prune === 'all' || owned.has(path);
    // What cannot be read may be theirs by now.
    const holdsOthersData = node.kind === 'unreadable' || (node.bytes > 0 && !ownedFiles.has(path));
    const isOurs = prune === 'all' || !holdsOthersData;
    if (mine && prune !== 'none' && !occupied.has(path) && !node.hidesOthers && isOurs) {
      const kind = node.kind === 'folder' ? 'folder' : 'file';
      steps.push({ action: 'remove', path, kind, data: NOTHING, version: node.version });
      continue;
    }
    (mine ? kept : foreign).push(path);
    occupied.add(parentOf(path));
  }
  return { steps, foreign: foreign.reverse(), kept: kept.reverse() };
}

/** What lies below a folder that is to become a file goes first; what cannot go is a problem. */
function placeRemovals(
  removals: readonly SyncStep[],
  removed: ReadonlySet<string>,
  toFile: readonly string[],
  stored: ReadonlyMap<string, StoredEntry>,
): { early: SyncStep[]; late: SyncStep[]; problems: LibraryFinding[] } {
  const isBelow = (path: string) => toFile.some((folder) => path.startsWith(`${folder}/`));
  const blocked = new Set(
    toFile.filter((folder) => {
      const rest = [...stored.keys()].some((path) => path.startsWith(`${folder}/`) && !removed.has(path));
      return rest || stored.get(folder)!.hidesOthers;
    }),
  );
  return {
    early: removals.filter(({ path }) => isBelow(path)),
    late: removals.filter(({ path }) => !isBelow(path)),
    problems: [...blocked].map((path) => ({ ...BLOCKED_FILE, path })),
  };
}

const BLOCKED_FILE = {
  severity: 'error',
  code: 'folder-in-the-way',
  message:
    'is a file in the source, but a folder with nodes of others in the destination; remove or rename one',
} as const;

function byPath(a: SyncStep, b: SyncStep): number {
  return compare(a.path, b.path);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
