import { checkLibrary, contentHash, type Library } from './checks/check-library.js';
import type { NamingRules } from './checks/check-names.js';
import { createEntryFilter } from './checks/ignore-rules.js';
import {
  commitLoad,
  forgetOldLoads,
  recordRevision,
  toPathList,
  type DecidedLoad,
  type LoadWriter,
} from './commit-load.js';
import { InvalidLibraryError, type LibraryProblem } from './library-problem.js';
import type { LibrarySource, SourceTree } from './library-source.js';
import { type LibraryStore, LockLostError } from './library-store.js';
import { readLoadState, readManifest, type LoadState } from './load-state.js';
import { countPlan, type LoadProgress, type LoadReport } from './load-report.js';
import { countParts } from './manifest.js';
import { planSync, type PruneMode, type SyncPlan } from './plan-sync.js';

export interface LoadOptions {
  /** Plans and writes nothing; takes no lock. */
  readonly dryRun: boolean;
  readonly prune: PruneMode;
  /** Accepts a source without files, which empties the library. */
  readonly allowEmpty: boolean;
  /** Stops at once when the source stands at the revision of the last load. */
  readonly ifChanged: boolean;
  /** How long to wait for another load to end, in milliseconds; 0 for not at all. */
  readonly waitMs: number;
  readonly names: NamingRules;
  /** Name of the node that is raised for the consumers; absent for none. */
  readonly versionNode: string | undefined;
  /** gitignore patterns, besides those of `.libraryignore`. */
  readonly exclude: readonly string[];
  /** The source is an earlier load: `ifChanged` then leaves alone what the source stands at now. */
  readonly isRollback?: boolean;
}

/** The run of a load: who, when, and what listens. */
export interface LoadRun {
  /** Unique to the run. */
  readonly id: string;
  /** For people: user, host and process. */
  readonly by: string;
  readonly now: () => Date;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: LoadProgress) => void) | undefined;
  /** Is handed what the destination holds after the load, to keep a copy for rollback. */
  readonly keepCopy?: ((load: number, library: Library) => Promise<void>) | undefined;
}

/** A load ended half-way. Running it again completes it. */
export class IncompleteLoadError extends Error {
  override readonly name = 'IncompleteLoadError';

  constructor(
    readonly done: number,
    readonly total: number,
    cause: Error,
  ) {
    const reason = cause instanceof LockLostError ? `the lock was lost (${cause.message})` : cause.message;
    super(
      `the load stopped after ${done} of ${total} changes: ${reason}; run the load again to complete it`,
      { cause },
    );
  }
}

/**
 * Brings the stored library to what the source holds, writing only what differs.
 *
 * @throws {InvalidLibraryError} nothing was written: the source has errors, all of which it names
 * @throws {SourceUnreachableError} | {StoreUnreachableError} | {LibraryLockedError} nothing was written
 * @throws {IncompleteLoadError} something may have been written
 */
export async function loadLibrary(
  source: LibrarySource,
  store: LibraryStore,
  options: LoadOptions,
  run: LoadRun,
): Promise<LoadReport> {
  const started = run.now();
  const reading = describeReading(source, options);
  const report = (part: Partial<LoadReport>): LoadReport => ({
    ...EMPTY_REPORT,
    source: source.name,
    destination: store.name,
    dry_run: options.dryRun,
    ...part,
    seconds: (run.now().getTime() - started.getTime()) / 1000,
  });
  if (options.ifChanged) {
    const skipped = await findUnchanged(source, store, reading, run);
    if (skipped) return report(skipped);
  }
  const { library, problems, revision } = await readLibrary(source, options, run);
  if (options.dryRun) return report({ ...(await dryRun(store, library, options, run)), problems, revision });
  run.onProgress?.({ phase: 'waiting' });
  const holder = { id: run.id, by: run.by, since: started.toISOString() };
  const lock = await store.lock(holder, options.waitMs, run.signal);
  try {
    const writer = createWriter(store, lock, run);
    const base = { library, problems, revision, reading, started };
    const outcome = await compareAndWrite(source, writer, base, options, run);
    const copying = await keepCopy(outcome.load ?? 0, library, run);
    return report({ ...outcome, problems: [...problems, ...copying], revision });
  } finally {
    await lock.release();
  }
}

interface ReadLibrary {
  readonly library: Library;
  readonly problems: LibraryProblem[];
  readonly revision: string;
}

/** @throws {InvalidLibraryError} */
async function readLibrary(source: LibrarySource, options: LoadOptions, run: LoadRun): Promise<ReadLibrary> {
  run.onProgress?.({ phase: 'reading' });
  const notes: LibraryProblem[] = [];
  const tree: SourceTree = await source.read(
    (ignoreFile) => createEntryFilter(ignoreFile, options.exclude, notes),
    run.signal,
  );
  run.onProgress?.({ phase: 'checking' });
  const { library, problems } = await checkLibrary(tree.entries, options);
  const all = [...problems, ...notes];
  if (options.versionNode !== undefined && library.files.has(options.versionNode)) {
    all.push({ ...VERSION_NODE_TAKEN, path: options.versionNode });
  }
  refuseErrors(all);
  return { library, problems: all, revision: tree.revision };
}

const VERSION_NODE_TAKEN = {
  severity: 'error',
  code: 'version-node',
  message: 'has the name of the version node, which the loader writes; rename it or set another version_node',
} as const;

function refuseErrors(problems: readonly LibraryProblem[]): void {
  if (problems.some(({ severity }) => severity === 'error')) throw new InvalidLibraryError(problems);
}

/** What is stored is what the source's revision says, read in this way, and no load was cut off. */
async function findUnchanged(
  source: LibrarySource,
  store: LibraryStore,
  reading: string,
  run: LoadRun,
): Promise<Partial<LoadReport> | undefined> {
  const [revision, manifest] = await Promise.all([source.revision(run.signal), readManifest(store)]);
  if (!manifest || manifest.pending || manifest.load === 0) return undefined;
  const isLoaded = manifest.revision === revision && manifest.reading === reading;
  if (!isLoaded && manifest.rolled_back !== revision) return undefined;
  return { skipped: true, revision, load: manifest.load };
}

/** The load is done: a copy that cannot be kept is worth a warning, not a failure. */
async function keepCopy(load: number, library: Library, run: LoadRun): Promise<LibraryProblem[]> {
  try {
    await run.keepCopy?.(load, library);
    return [];
  } catch (error) {
    const message = `no copy for rollback could be kept: ${(error as Error).message}`;
    return [{ severity: 'warning', path: '', code: 'copy', message }];
  }
}

async function dryRun(
  store: LibraryStore,
  library: Library,
  options: LoadOptions,
  run: LoadRun,
): Promise<Partial<LoadReport>> {
  run.onProgress?.({ phase: 'comparing' });
  const state = await readLoadState(store, options.versionNode);
  const plan = makePlan(library, state, options);
  const changes = plan.steps.map(({ action, kind, path }) => ({ action, kind, path }));
  return { ...countPlan(plan), changed: plan.steps.length > 0, load: state.manifest?.load ?? 0, changes };
}

function makePlan(library: Library, state: LoadState, options: LoadOptions): SyncPlan {
  const plan = planSync(library, state.stored, state.owned, options.prune);
  refuseErrors(plan.problems);
  return plan;
}

async function compareAndWrite(
  source: LibrarySource,
  writer: LoadWriter & { written: { done: number } },
  base: ReadLibrary & { readonly reading: string; readonly started: Date },
  options: LoadOptions,
  run: LoadRun,
): Promise<Partial<LoadReport>> {
  run.onProgress?.({ phase: 'comparing' });
  const state = await readLoadState(writer.store, options.versionNode);
  const plan = makePlan(base.library, state, options);
  const load = decide(source, base, state, plan, options, run);
  const counts = countPlan(plan);
  const changed = plan.steps.length > 0;
  const current = state.manifest?.load ?? 0;
  if (!changed && !state.manifest?.pending && samePaths(load.paths, state.recorded)) {
    const isRecorded = state.manifest?.revision === base.revision && state.manifest.reading === base.reading;
    if (current > 0 && !isRecorded) {
      await recordRevision(writer, { ...load, record: { ...load.record, load: current } });
    }
    return { ...counts, load: current };
  }
  run.onProgress?.({ phase: 'writing', done: 0, total: plan.steps.length });
  const version = await commit(writer, load, plan.steps.length);
  await forgetOldLoads(writer, [...state.loads, load.record.load]);
  return { ...counts, changed, load: load.record.load, ...(version !== undefined && { version }) };
}

async function commit(
  writer: LoadWriter & { written: { done: number } },
  load: DecidedLoad,
  total: number,
): Promise<string | undefined> {
  try {
    return await commitLoad(writer, load);
  } catch (error) {
    throw new IncompleteLoadError(writer.written.done, total, error as Error);
  }
}

function decide(
  source: LibrarySource,
  base: ReadLibrary & { readonly reading: string; readonly started: Date },
  state: LoadState,
  plan: SyncPlan,
  options: LoadOptions,
  run: LoadRun,
): DecidedLoad {
  const { library, revision, reading, started } = base;
  const paths = toPathList(library.files, library.folders);
  for (const path of plan.kept) {
    const node = state.stored.get(path)!;
    if (node.kind === 'folder') paths.set(`${path}/`, '');
    else paths.set(path, node.hash);
  }
  const load = Math.max(0, state.manifest?.load ?? 0, state.manifest?.pending?.load ?? 0, ...state.loads) + 1;
  const { created, updated, deleted, unchanged } = countPlan(plan);
  const raises = plan.steps.length > 0 || state.manifest?.pending !== undefined;
  const newest = state.manifest?.rolled_back ?? state.manifest?.revision;
  return {
    steps: plan.steps,
    paths,
    reading,
    rolledBack: options.isRollback ? newest : undefined,
    versionNode: raises ? options.versionNode : undefined,
    record: {
      load,
      source: source.name,
      source_kind: source.kind,
      origin: source.origin,
      revision,
      by: run.by,
      started_at: started.toISOString(),
      ...{ created, updated, deleted, unchanged },
      files: library.files.size,
      bytes: [...library.files.values()].reduce((sum, { data }) => sum + data.length, 0),
      parts: countParts(paths),
    },
  };
}

function samePaths(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  return a.size === b.size && [...a].every(([path, hash]) => b.get(path) === hash);
}

function createWriter(
  store: LibraryStore,
  lock: LoadWriter['lock'],
  run: LoadRun,
): LoadWriter & { written: { done: number } } {
  const written = { done: 0 };
  const onWritten = (done: number, total: number) => {
    written.done = done;
    run.onProgress?.({ phase: 'writing', done, total });
  };
  return { store, lock, now: run.now, signal: run.signal, onWritten, written };
}

/** Equal texts mean that equal revisions hold equal libraries. */
function describeReading(source: LibrarySource, { exclude, names, prune }: LoadOptions): string {
  return contentHash(Buffer.from(JSON.stringify([source.name, exclude, names, prune])));
}

const EMPTY_REPORT: LoadReport = {
  source: '',
  revision: '',
  destination: '',
  dry_run: false,
  changed: false,
  skipped: false,
  load: 0,
  created: 0,
  updated: 0,
  deleted: 0,
  unchanged: 0,
  bytes: 0,
  seconds: 0,
  problems: [],
  foreign: [],
  kept: [],
};
