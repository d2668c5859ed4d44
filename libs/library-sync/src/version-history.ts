import { decodePart, type PathList } from './path-list.js';

/**
 * The versions that nodes have had. Nodes start at version 0, so a recreated node would reuse earlier versions for
 * different content, which consumers comparing versions would not notice.
 */
export interface VersionHistory {
  /** Path → the highest known version of its node. The load that listed it may have left the node one higher. */
  readonly highest: ReadonlyMap<string, number>;
  /** The highest version among removed paths no longer listed; -1 for none. */
  readonly floor: number;
}

export const NO_HISTORY: VersionHistory = { highest: new Map(), floor: -1 };

/** Maximum number of removed paths listed. Those with the lowest versions are evicted, which raises the floor. */
const MAX_REMOVED = 20_000;

/** A node that would need more writes is rejected. */
export const MAX_RAISES = 100_000;

/** See `PlanState`. */
interface KnownState {
  readonly history: VersionHistory | undefined;
  readonly stored: ReadonlyMap<string, { readonly version: number }>;
  readonly recorded: ReadonlyMap<string, string>;
}

/** The part of a `SyncStep` that affects versions. */
interface VersionStep {
  readonly action: 'create' | 'update' | 'remove';
  readonly path: string;
  readonly raises?: number;
}

/**
 * The version that a path's node must exceed after the load.
 *
 * @returns undefined if any version is fine: the path is new, or its node was never removed
 */
export function versionToExceed(path: string, { history, stored, recorded }: KnownState): number | undefined {
  if (!history) return undefined;
  const listed = history.highest.get(path);
  const node = stored.get(path);
  const isReplaced = node && listed !== undefined && node.version < listed;
  if (node && !isReplaced) return undefined;
  // Another client removed the node written by the last finished load.
  if (recorded.has(path) || recorded.has(`${path}/`)) return (listed ?? -1) + 1;
  return listed ?? (history.floor < 0 ? undefined : history.floor);
}

/**
 * Computes the history to record for the next load.
 *
 * @param steps the load's steps
 * @param paths the library's paths after the load
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
  // An unlisted path would count as new, with version 0.
  const updated = stepPaths(steps, ({ action }) => action === 'update');
  // Listed with the version it ends at, so that an interrupted raise counts as unfinished even just below it.
  const raised = stepPaths(steps, ({ raises }) => raises !== undefined);
  for (const path of [...paths.keys()].map(bare)) {
    const highest = highestOf(path) + (raised.has(path) ? 1 : 0);
    if (updated.has(path) || highest > 0) living.set(path, highest);
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

/** @returns the highest version evicted; -1 for none */
function forgetLowest(versions: Map<string, number>, most: number): number {
  if (versions.size <= most) return -1;
  const lowest = [...versions].sort(([, a], [, b]) => a - b).slice(0, versions.size - most);
  for (const [path] of lowest) versions.delete(path);
  return lowest.at(-1)![1];
}

/** Merges the histories of a load and an interrupted one after it. */
export function mergeHistories(a: VersionHistory, b: VersionHistory): VersionHistory {
  const highest = new Map(a.highest);
  for (const [path, version] of b.highest) highest.set(path, Math.max(version, highest.get(path) ?? -1));
  return { highest, floor: Math.max(a.floor, b.floor) };
}

/** Converts the history to a list for `cutPaths`. */
export function toVersionList({ highest }: VersionHistory): PathList {
  return new Map([...highest].map(([path, version]) => [path, `${version}`]));
}

/**
 * Decodes one part of a list from `toVersionList`.
 *
 * @throws {Error} if the data is invalid
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
