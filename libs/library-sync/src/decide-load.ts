import type { ReadLibrary } from './checked-source.js';
import type { LibraryFile } from './checks/check-library.js';
import type { DecidedLoad } from './commit-load.js';
import type { LoadTask } from './load-task.js';
import { interruptedRevision, type LoadRecord, signatureOf } from './manifest.js';
import type { SourceSignature } from './ports/library-source.js';
import type { LoadState } from './load-state.js';
import { countPlan } from './load-report.js';
import { cutPaths, type PathList } from './path-list.js';
import { isHidden, type SyncPlan } from './plan-sync.js';
import { describeReading } from './read-library.js';
import { nextHistory, toVersionList } from './version-history.js';
import { batchBytes } from './write-batches.js';

/** A planned load and the destination's content after it. */
export interface PlannedLoad extends DecidedLoad {
  readonly paths: PathList;
}

/** Plans everything a load writes: the library's nodes and the loader's own. */
export function decideLoad(
  { source, store, options, run, started }: LoadTask,
  { library, isOlder, ...read }: ReadLibrary,
  state: LoadState,
  plan: SyncPlan,
  owner: string,
): PlannedLoad {
  const { manifest } = state;
  const paths = toPathList(library.files, library.folders);
  for (const path of plan.kept) {
    const node = state.stored.get(path)!;
    const isFolder = node.kind === 'folder' || (state.owned.has(path) && !state.ownedFiles.has(path));
    if (isFolder) paths.set(`${path}/`, '');
    else paths.set(path, node.kind === 'unreadable' ? (state.recorded.get(path) ?? '') : node.hash);
  }
  for (const [name, hash] of hiddenPaths(state)) if (!paths.has(name)) paths.set(name, hash);
  const requestBytes = batchBytes(store);
  const parts = cutPaths(paths, requestBytes);
  const history = nextHistory(plan.steps, paths, state);
  const versionParts = cutPaths(toVersionList(history), requestBytes);
  const { created, updated, deleted, unchanged } = countPlan(plan);
  return {
    steps: plan.steps,
    paths,
    parts,
    versionParts,
    leftoverParts: cutPaths(findLeftovers(paths, state), requestBytes),
    // A repair writes content that was read with the settings of the load it repairs.
    reading: options.repairs === undefined ? describeReading(source, options) : (manifest?.reading ?? ''),
    ...rolledBackBy(options, state),
    versionNode: options.versionNode,
    incrementsVersion: plan.steps.length > 0 || manifest?.pending !== undefined,
    record: {
      load: Math.max(0, manifest?.load ?? 0, manifest?.pending?.load ?? 0, ...state.loads) + 1,
      ...marksOf(options, isOlder),
      source: source.name,
      source_kind: source.kind,
      origin: source.origin,
      ...(owner !== source.origin && { owner }),
      ...verifiedRevision(read, options, manifest),
      by: run.by,
      started_at: started.toISOString(),
      ...{ created, updated, deleted, unchanged },
      files: library.files.size,
      bytes: [...library.files.values()].reduce((sum, { data }) => sum + data.length, 0),
      parts: parts.length,
      ...(versionParts.length > 0 && { version_parts: versionParts.length }),
      ...(history.floor >= 0 && { version_floor: history.floor }),
    },
  };
}

/**
 * The revision that the content belongs to, and its signature. A repair takes both from the manifest if that has a signature: a
 * later signed revision without changes is recorded only there.
 */
function verifiedRevision(
  { revision, signature }: Pick<ReadLibrary, 'revision' | 'signature'>,
  { repairs, signature: restored }: LoadTask['options'],
  manifest: LoadState['manifest'],
): Pick<LoadRecord, 'revision'> & Partial<SourceSignature> {
  const newest = repairs === undefined ? undefined : manifest && signatureOf(manifest);
  if (manifest && newest) return { revision: manifest.revision, ...newest };
  return { revision, ...(signature ?? restored) };
}

function marksOf(
  { isRollback, repairs }: LoadTask['options'],
  isOlder: boolean | undefined,
): Pick<LoadRecord, 'kind' | 'allowed_older'> {
  return {
    ...(repairs !== undefined && { kind: 'repair' }),
    ...(isRollback && { kind: 'rollback' }),
    ...(isOlder && { allowed_older: true }),
  };
}

function rolledBackBy(
  { isRollback, restores, repairs }: LoadTask['options'],
  { manifest, pending }: LoadState,
): Pick<DecidedLoad, 'rolledBack' | 'undoneRevision' | 'restores'> {
  const rolledBack = manifest?.rolled_back;
  if (isRollback) {
    const interrupted = interruptedRevision(pending);
    const undone = interrupted ?? rolledBack ?? manifest?.revision;
    return { rolledBack: undone, undoneRevision: interrupted, restores };
  }
  return repairs === undefined ? {} : { rolledBack };
}

/** True if both the library and its records are up to date, so that nothing needs to be written. */
export function isInPlace({ steps, paths, record }: PlannedLoad, state: LoadState): boolean {
  const { manifest, recorded, owner, last } = state;
  const isOwned = !manifest?.load || owner === (record.owner ?? record.origin);
  // A rollback relies on the history: it must contain the first signature, and any older revision that was accepted.
  const gainsSignature = last !== undefined && !signatureOf(last) && signatureOf(record) !== undefined;
  const isRecorded = !gainsSignature && record.allowed_older === undefined && samePaths(paths, recorded);
  return steps.length === 0 && !manifest?.pending && isOwned && isRecorded;
}

/** Files and folders in the manifest's format. */
function toPathList(files: ReadonlyMap<string, LibraryFile>, folders: Iterable<string>): Map<string, string> {
  const paths = new Map<string, string>();
  for (const folder of folders) paths.set(`${folder}/`, '');
  for (const [path, { hash }] of files) paths.set(path, hash);
  return paths;
}

/** Our nodes that are currently unreadable: they stay recorded as ours, or could never be removed. */
function hiddenPaths({ recorded, stored }: LoadState): (readonly [string, string])[] {
  return [...recorded].filter(([name]) => isHidden(name.replace(/\/$/, ''), stored));
}

function findLeftovers(paths: PathList, { leftovers, stored }: LoadState): PathList {
  const left = [...leftovers].filter((name) => {
    const path = name.replace(/\/$/, '');
    return stored.has(path) && !paths.has(path) && !paths.has(`${path}/`);
  });
  return new Map(left.map((name) => [name, '']));
}

function samePaths(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  return a.size === b.size && [...a].every(([path, hash]) => b.get(path) === hash);
}
