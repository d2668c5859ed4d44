import { decodePart, type PathList } from './path-list.js';

/**
 * The versions that nodes have had. A node begins at version 0, so one that is removed and created again would meet its
 * former versions with other content: a consumer that compares versions would not notice.
 */
export interface VersionHistory {
  /** Path → the highest version known of a node there. The load that listed it may have left a node one above. */
  readonly highest: ReadonlyMap<string, number>;
  /** The highest version of the removed paths that are no longer listed; -1 for none. */
  readonly floor: number;
}

export const NO_HISTORY: VersionHistory = { highest: new Map(), floor: -1 };

/** So many removed paths are listed. Those with the lowest versions make room for others, and lift the floor. */
const MAX_REMOVED = 20_000;

/** A node that would take more writes than this is refused instead. */
export const MAX_RAISES = 100_000;

/** What is known of a destination; see `PlanState`. */
interface KnownState {
  readonly history: VersionHistory | undefined;
  readonly stored: ReadonlyMap<string, { readonly version: number }>;
  readonly recorded: ReadonlyMap<string, string>;
}

/** Of a `SyncStep`, what changes versions. */
interface VersionStep {
  readonly action: 'create' | 'update' | 'remove';
  readonly path: string;
  readonly raises?: number;
}

/**
 * The version that the node at a path must exceed after the load.
 *
 * @returns undefined when any will do: the path is new, or its node was never removed
 */
export function versionToExceed(path: string, { history, stored, recorded }: KnownState): number | undefined {
  if (!history) return undefined;
  const listed = history.highest.get(path);
  const node = stored.get(path);
  const isReplaced = node && listed !== undefined && node.version < listed;
  if (node && !isReplaced) return undefined;
  // Others removed what the last finished load left there.
  if (recorded.has(path) || recorded.has(`${path}/`)) return (listed ?? -1) + 1;
  return listed ?? (history.floor < 0 ? undefined : history.floor);
}

/**
 * What a load is to leave to the next one.
 *
 * @param steps of the load
 * @param paths of the library after the load
 */
export function nextHistory(
  steps: readonly VersionStep[],
  paths: PathList,
  state: KnownState,
  maxRemoved = MAX_REMOVED,
): VersionHistory {
  const { history, stored, recorded } = state;
  if (!history) return NO_HISTORY;
  const highestOf = (path: string): number =>
    Math.max(
      stored.get(path)?.version ?? -1,
      history.highest.get(path) ?? -1,
      versionToExceed(path, state) ?? -1,
    );

  const living = new Map<string, number>();
  // Written in place, or several times: without a line a path counts as new, with a node of version 0.
  const written = stepPaths(steps, (step) => step.action === 'update' || step.raises !== undefined);
  for (const path of [...paths.keys()].map(bare)) {
    if (written.has(path) || highestOf(path) > 0) living.set(path, highestOf(path));
  }
  const removed = new Map<string, number>();
  const gone = stepPaths(steps, ({ action }) => action === 'remove');
  for (const path of [...history.highest.keys(), ...[...recorded.keys()].map(bare), ...gone]) {
    const isLiving = living.has(path) || paths.has(path) || paths.has(`${path}/`);
    if (!isLiving) removed.set(path, highestOf(path));
  }
  const floor = forgetLowest(removed, maxRemoved);
  return { highest: new Map([...living, ...removed]), floor: Math.max(history.floor, floor) };
}

function stepPaths(steps: readonly VersionStep[], isWanted: (step: VersionStep) => boolean): Set<string> {
  return new Set(steps.filter(isWanted).map(({ path }) => path));
}

/** @returns the highest version among those that went; -1 for none */
function forgetLowest(versions: Map<string, number>, most: number): number {
  if (versions.size <= most) return -1;
  const lowest = [...versions].sort(([, a], [, b]) => a - b).slice(0, versions.size - most);
  for (const [path] of lowest) versions.delete(path);
  return lowest.at(-1)![1];
}

/** Of two loads, one of which was cut off after the other: what holds for both. */
export function mergeHistories(a: VersionHistory, b: VersionHistory): VersionHistory {
  const highest = new Map(a.highest);
  for (const [path, version] of b.highest) highest.set(path, Math.max(version, highest.get(path) ?? -1));
  return { highest, floor: Math.max(a.floor, b.floor) };
}

/** As a list that `cutPaths` takes. */
export function toVersionList({ highest }: VersionHistory): PathList {
  return new Map([...highest].map(([path, version]) => [path, `${version}`]));
}

/**
 * One part of a list that `toVersionList` made.
 *
 * @throws {Error} when that did not make it
 */
export function decodeVersions(data: Uint8Array): ReadonlyMap<string, number> {
  const versions = new Map<string, number>();
  for (const [path, text] of decodePart(data)) {
    if (!/^\d{1,10}$/.test(text)) throw new Error('not a list of versions');
    versions.set(path, Number(text));
  }
  return versions;
}

const bare = (path: string): string => path.replace(/\/$/, '');
