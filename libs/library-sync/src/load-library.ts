import { setTimeout as sleep } from 'node:timers/promises';
import type { CheckedSource, ReadLibrary } from './checked-source.js';
import { commitLoad, type LoadWriter, recordRevision } from './commit-load.js';
import { decideLoad, isInPlace, type PlannedLoad } from './decide-load.js';
import { IncompleteLoadError, OvertakenError } from './load.errors.js';
import { assertNotRolledBack } from './interrupted-rollback.js';
import { findLastLoaded } from './last-loaded.js';
import { readLockHolder } from './library-status.js';
import { forgetOldLoads, sweepUnfinished } from './keep-records.js';
import { BlockedLibraryError, type LibraryFinding } from './ports/library-finding.js';
import type { LibrarySource } from './ports/library-source.js';
import type { LibraryLock, LibraryStore } from './ports/library-store.js';
import { signatureOf } from './manifest.js';
import { type LoadState, readLoadState, readManifest, readRecord, readRecords } from './load-state.js';
import { countPlan, EMPTY_REPORT, type LoadReport } from './load-report.js';
import type { LoadOptions, LoadRun, LoadTask } from './load-task.js';
import { decideOwner } from './other-source.js';
import { isIndependent } from './checks/declaration-rules.js';
import { planSync, type SyncPlan } from './plan-sync.js';
import { describeReading, readLibrary, refuseErrors } from './read-library.js';
import { findUnrestored } from './restored-paths.js';

/**
 * Makes the stored library match the source, writing only differences. The source is read under the lock, so that of
 * two concurrent loads the later one has the newer content.
 *
 * @throws {InvalidLibraryError} nothing was written: the source has errors, all listed
 * @throws {BlockedLibraryError} nothing was written: other clients' nodes are in the way, all listed
 * @throws {OvertakenError} nothing was written: another load has finished or begun since `lastLoad`
 * @throws {InterruptedRollbackError} nothing was written: with `ifChanged`, an interrupted rollback would be undone
 * @throws {UnverifiedSourceError} nothing was written: no allowed signer vouches for the source
 * @throws {SourceUnreachableError} | {StoreUnreachableError} | {LibraryLockedError} nothing was written
 * @throws {IncompleteLoadError} something may have been written
 */
export async function loadLibrary(
  source: LibrarySource | CheckedSource,
  store: LibraryStore,
  options: LoadOptions,
  run: LoadRun,
): Promise<LoadReport> {
  const started = run.now();
  const begin = performance.now();
  const outcome = await perform({ source, store, options, run, started }).finally(() => source.release?.());
  return {
    ...EMPTY_REPORT,
    source: source.name,
    destination: store.name,
    dry_run: options.dryRun,
    ...outcome,
    seconds: Math.round(performance.now() - begin) / 1000,
  };
}

async function perform(task: LoadTask): Promise<Partial<LoadReport>> {
  const { store, options, run, started } = task;
  const unchanged = await findUnchanged(task);
  if (unchanged) return unchanged;
  if (options.dryRun) return planOnly(task);
  run.onProgress?.({ phase: 'waiting' });
  const holder = { id: run.id, by: run.by, since: started.toISOString() };
  const lock = await store.lock(holder, options.waitMs, run.signal);
  try {
    // The load we waited for may have loaded the same revision.
    const skipped = (await findUnchanged(task, true)) ?? (await findOvertaken(task));
    return skipped ?? (await compareAndWrite(task, lock));
  } finally {
    await lock.release();
  }
}

/**
 * For `ifChanged`: skips a source that need not be read.
 *
 * @param isLocked otherwise a load that has not finished may still be running
 * @throws {InterruptedRollbackError} under the lock
 */
async function findUnchanged(task: LoadTask, isLocked = false): Promise<Partial<LoadReport> | undefined> {
  const { source, store, options, run } = task;
  if (!options.ifChanged) return undefined;
  const [revision, manifest] = await Promise.all([source.revision(run.signal), readManifest(store)]);
  const pending = isLocked && manifest?.pending ? await readRecord(store, manifest.pending.load) : undefined;
  return skipUnchanged(task, revision, { manifest, pending });
}

/**
 * The stored revision and reading options match, or the revision was rolled back, and no load was interrupted.
 *
 * @throws {InterruptedRollbackError}
 */
function skipUnchanged(
  { source, options }: LoadTask,
  revision: string,
  { manifest, pending }: Pick<LoadState, 'manifest' | 'pending'>,
): Partial<LoadReport> | undefined {
  if (!options.ifChanged || !manifest) return undefined;
  if (pending) assertNotRolledBack(revision, manifest, pending);
  if (manifest.pending || manifest.load === 0) return undefined;
  const isLoaded = manifest.revision === revision && manifest.reading === describeReading(source, options);
  if (!isLoaded && manifest.rolled_back !== revision) return undefined;
  return { skipped: true, revision, load: manifest.load };
}

/**
 * For `repairs`: skips the repair if another load has followed, or one is still to be completed.
 *
 * @throws {OvertakenError} for `lastLoad`
 */
async function findOvertaken({ store, options }: LoadTask): Promise<Partial<LoadReport> | undefined> {
  const { repairs, lastLoad } = options;
  if (repairs === undefined && lastLoad === undefined) return undefined;
  const { load = 0, pending } = (await readManifest(store)) ?? {};
  if (lastLoad && load !== lastLoad.load) throw new OvertakenError(`load ${load} has finished`);
  if (lastLoad && pending?.load !== lastLoad.pending) {
    throw new OvertakenError(`load ${pending?.load} was interrupted`);
  }
  if (repairs === undefined || (load === repairs && !pending)) return undefined;
  return { skipped: true, load };
}

async function planOnly(task: LoadTask): Promise<Partial<LoadReport>> {
  const { read, state, plan } = await compare(task);
  // Without the lock, a load that has not finished may still be running.
  const isRunning = state.pending !== undefined && (await readLockHolder(task.store)) !== undefined;
  const skipped = skipUnchanged(task, read.revision, isRunning ? { ...state, pending: undefined } : state);
  if (skipped) return skipped;
  const completed = state.manifest?.pending?.load;
  return {
    ...countPlan(plan),
    ...(completed !== undefined && { completed }),
    problems: read.problems,
    revision: read.revision,
    ...(read.signature ?? task.options.signature),
    changed: plan.steps.length > 0,
    load: state.manifest?.load ?? 0,
    changes: plan.steps.map(({ action, kind, path }) => ({ action, kind, path })),
  };
}

interface Comparison {
  /** Its problems include those of the comparison. */
  readonly read: ReadLibrary;
  readonly state: LoadState;
  readonly plan: SyncPlan;
  readonly owner: string;
}

/** Reads source and destination concurrently, since one waits for the disk and the other for the network. */
async function compare({ source, store, options, run }: LoadTask): Promise<Comparison> {
  const abort = new AbortController();
  const signal = run.signal ? AbortSignal.any([run.signal, abort.signal]) : abort.signal;
  const deciding = readRecords(store).then((records) => ({
    records,
    ownership: decideOwner(store, source, options, records.owner),
  }));
  const recording = deciding.then(({ records }) => records);
  const passed = async () => {
    const { recorded, manifest } = await recording;
    const { rules } = options;
    const isSame = isIndependent(rules) && manifest?.reading === describeReading(source, options);
    return rules === undefined || isSame ? recorded : new Map<string, string>();
  };
  const lastLoaded = async () => findLastLoaded(store, source, await recording);
  const readingRun = { onProgress: run.onProgress, signal, passed, lastLoaded };
  const reading = readLibrary(source, options, readingRun, run.check);
  try {
    const [read, state] = await Promise.all([reading, readLoadState(store, recording, options.versionNode)]);
    run.onProgress?.({ phase: 'comparing' });
    const { prune, restored = new Map() } = options;
    const plan = planSync(read.library, state, prune, restored);
    refuseErrors(plan.problems, BlockedLibraryError);
    const { owner, problems } = (await deciding).ownership;
    const unrestored = findUnrestored(read.library, state.stored, restored);
    return {
      read: { ...read, problems: [...read.problems, ...problems, ...unrestored] },
      state,
      plan,
      owner,
    };
  } catch (error) {
    // If the destination failed, the source must still clean up.
    abort.abort();
    await reading.catch(() => undefined);
    throw error;
  }
}

async function compareAndWrite(task: LoadTask, lock: LibraryLock): Promise<Partial<LoadReport>> {
  const { run } = task;
  const { read, state, plan, owner } = await compare(task);
  // Only now known for a ref that is the id of an annotated tag, or changed after it was looked at.
  const skipped = skipUnchanged(task, read.revision, state);
  if (skipped) return skipped;
  const load = decideLoad(task, read, state, plan, owner);
  const { revision } = load.record;
  const outcome = { ...countPlan(plan), revision, ...signatureOf(load.record) };
  const writer = createWriter(task, lock);
  if (isInPlace(load, state)) {
    const current = state.manifest?.load ?? 0;
    const isRecorded = state.manifest?.revision === revision && state.manifest.reading === load.reading;
    if (current > 0 && !isRecorded) {
      await recordRevision(writer, { ...load, record: { ...load.record, load: current } });
    }
    // The source may have more, fewer or other files than that load wrote, if nodes were kept then or are now.
    const isAsWritten = plan.kept.length === 0 && read.library.files.size === state.last?.files;
    const warnings = isAsWritten ? await keepCopy(run, current, read) : [];
    return { ...outcome, load: current, problems: [...read.problems, ...warnings] };
  }
  run.onProgress?.({ phase: 'writing', done: 0, total: plan.steps.length });
  const completed = state.manifest?.pending?.load;
  const { version, warnings } = await writeLoad(writer, load, state);
  return {
    ...outcome,
    changed: plan.steps.length > 0,
    load: load.record.load,
    ...(completed !== undefined && { completed }),
    ...(version !== undefined && { version }),
    problems: [...read.problems, ...warnings, ...(await keepCopy(run, load.record.load, read))],
  };
}

/** @throws {IncompleteLoadError} */
async function writeLoad(
  writer: LoadWriter & { readonly written: Written },
  load: PlannedLoad,
  state: LoadState,
): Promise<{ version: string | undefined; warnings: LibraryFinding[] }> {
  try {
    const finished = await sweepUnfinished(writer, state);
    const version = await commitLoad(writer, load);
    const forgetting = forgetOldLoads(writer, finished, load.record.load, state.manifest?.pending?.load);
    return {
      version,
      warnings: await warnOf(forgetting, 'records', 'could not remove the records of old loads'),
    };
  } catch (error) {
    const { done, total = load.steps.length } = writer.written;
    throw new IncompleteLoadError(done, total, error as Error);
  }
}

/** A load's progress; `total` is absent until the first batch is written. */
interface Written {
  done: number;
  total?: number;
}

function createWriter({ store, run }: LoadTask, lock: LibraryLock): LoadWriter & { written: Written } {
  const written: Written = { done: 0 };
  const onWritten = (done: number, total: number) => {
    Object.assign(written, { done, total });
    run.onProgress?.({ phase: 'writing', done, total });
  };
  return { store, lock, now: run.now, signal: run.signal, onWritten, written };
}

/** In milliseconds; then the lock is released without a copy, since a disk may hang forever. */
const COPY_MS = 300_000;

/** Keeps a copy for rollback. @returns a warning if that failed */
export async function keepCopy(
  run: LoadRun,
  load: number,
  { library }: ReadLibrary,
): Promise<LibraryFinding[]> {
  if (!run.keepCopy) return [];
  const late = new AbortController();
  const tooLate = sleep(COPY_MS, undefined, { signal: late.signal, ref: false }).then(() => {
    throw new Error(`it took more than ${COPY_MS / 1000} s`);
  });
  const kept = Promise.race([run.keepCopy(load, library), tooLate]);
  return warnOf(kept, 'copy', 'could not keep a copy for rollback').finally(() => late.abort());
}

/** Once the load is done, later failures are only warnings. */
export async function warnOf(work: Promise<void>, code: string, what: string): Promise<LibraryFinding[]> {
  try {
    await work;
    return [];
  } catch (error) {
    const message = `${what}: ${(error as Error).message}`;
    return [{ severity: 'warning', path: '', code, message }];
  }
}
