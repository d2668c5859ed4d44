import { setTimeout as sleep } from 'node:timers/promises';
import { type PullCounts, pullLibrary } from '@svc/directory-store';
import { type LoadCopies, MissingCopyError } from '@svc/library-source';
import {
  atRevision,
  type CheckedSource,
  type Drift,
  type LibrarySource,
  type LibraryStatus,
  type LoadRecord,
  type LoadReport,
  readDrift,
  readHistory,
  readLoadedFolders,
  readStatus,
  SourceUnreachableError,
  type StoredNode,
  validateLibrary,
  type ValidationReport,
  watchLibrary,
  type WatchEvent,
} from '@svc/library-sync';
import { CommanderError } from '../errors/commander-error.js';
import type { CommanderConfig } from '../config/commander-config.js';
import { openConfiguredSource, type SourceOverrides } from './open-library.js';
import { configuredOptions, copiesOf, type LoadEvents, loadFrom, PLAIN_LOAD, runLoad } from './run-load.js';
import { withStore } from './shared-store.js';

/** What a load would change; for another source, one that takes over. */
export async function diff(
  config: CommanderConfig,
  overrides: SourceOverrides,
  events: LoadEvents,
): Promise<LoadReport> {
  return runLoad(config, { ...PLAIN_LOAD, ...overrides, dryRun: true, takeOver: true }, events);
}

/** Validates the source as a load does, without a destination. */
export async function validate(
  config: CommanderConfig,
  overrides: SourceOverrides,
  signal: AbortSignal,
): Promise<ValidationReport> {
  const options = { ...configuredOptions(config), allowEmpty: false };
  return validateLibrary(openConfiguredSource(config, overrides), options, signal);
}

/** The destination's last load; with `drift` also the changes made since. */
export async function status(
  config: CommanderConfig,
  { drift }: { readonly drift: boolean },
): Promise<LibraryStatus & { readonly drift?: readonly Drift[] }> {
  return withStore(config, async (store) => {
    const found = drift ? await readDrift(store) : undefined;
    const last = await readStatus(store, configuredOptions(config).versionNode);
    return { ...last, ...(found && { drift: found }) };
  });
}

/** The last loads, newest first. */
export async function history(config: CommanderConfig): Promise<LoadRecord[]> {
  return withStore(config, readHistory);
}

export interface PullReport extends PullCounts {
  readonly destination: string;
  readonly folder: string;
}

/** Writes the stored library into a folder. */
export async function pull(config: CommanderConfig, folder: string, overwrite: boolean): Promise<PullReport> {
  return withStore(config, async (store) => {
    const nodes: StoredNode[] = [];
    await store.readTree((node) => nodes.push(node));
    const folders = await readLoadedFolders(store);
    return { destination: store.name, folder, ...(await pullLibrary(nodes, folder, { overwrite, folders })) };
  });
}

export interface RollbackRequest {
  /** Number of loads to go back, from 1; or the number of the load to restore. */
  readonly steps?: number | undefined;
  readonly to?: number | undefined;
  readonly dryRun: boolean;
  readonly waitMs: number;
}

/**
 * Restores an earlier load from its copy or, for a Git source without one, from its commit. This is a load like any other,
 * with its own number.
 */
export async function rollback(
  config: CommanderConfig,
  request: RollbackRequest,
  events: LoadEvents,
): Promise<LoadReport> {
  return withStore(config, async (store) => {
    const record = chooseRecord(await readHistory(store), request);
    const { dryRun, waitMs } = request;
    const load = async (source: LibrarySource | CheckedSource): Promise<LoadReport> =>
      loadFrom(source, store, config, { ...PLAIN_LOAD, dryRun, waitMs, isRollback: true }, events);
    const copy = await loadCopy(record, copiesOf(config, store), load);
    if ('report' in copy) return copy.report;
    const source = sourceOf(record, config, copy.noCopy, events.inThread);
    return load(source).catch((error: unknown) => {
      if (!(error instanceof SourceUnreachableError)) throw error;
      throw new SourceUnreachableError(`${error.message}; ${copy.noCopy.message}`, { cause: error });
    });
  });
}

/** @returns why there is no copy, if there is none; then nothing was written */
async function loadCopy(
  record: LoadRecord,
  copies: LoadCopies | undefined,
  load: (source: LibrarySource) => Promise<LoadReport>,
): Promise<{ readonly report: LoadReport } | { readonly noCopy: Error }> {
  if (!copies) {
    const place =
      record.source_kind === 'folder' ? 'came from a folder, and no copies are kept' : 'has no copy';
    const message = `load ${record.load} ${place}: set source.state_path for the loads to come`;
    return { noCopy: new CommanderError('library_configuration', message) };
  }
  try {
    return { report: await load(copies.source(record)) };
  } catch (error) {
    if (error instanceof MissingCopyError) return { noCopy: error };
    throw error;
  }
}

function chooseRecord(records: readonly LoadRecord[], { steps = 1, to }: RollbackRequest): LoadRecord {
  const record = to === undefined ? records[steps] : records.find(({ load }) => load === to);
  if (record) return record;
  const known = records.map(({ load }) => load).join(', ') || 'none';
  throw new CommanderError(
    'load_not_found',
    `no such load to roll back to; known loads: ${known} (see svccmd library history)`,
  );
}

/** @throws {Error} `noCopy` if only a copy could be restored */
function sourceOf(
  { load, revision, source_kind, origin }: LoadRecord,
  config: CommanderConfig,
  noCopy: Error,
  inThread?: boolean,
): LibrarySource | CheckedSource {
  if (source_kind === 'folder') throw noCopy;
  const source = openConfiguredSource(config, { ref: revision }, inThread);
  if (source.origin === origin) return source;
  throw new CommanderError(
    'library_configuration',
    `load ${load} came from ${origin}, but source.path is now ${source.origin}; change it back first`,
  );
}

/**
 * Watches the configured source until the signal aborts.
 *
 * @throws {CommanderError} if the configuration is invalid, since retrying would not help
 */
export async function watch(
  config: CommanderConfig,
  intervalMs: number,
  { signal, inThread }: Pick<LoadEvents, 'inThread'> & { readonly signal: AbortSignal },
  onEvent: (event: WatchEvent) => void,
): Promise<void> {
  const source = openConfiguredSource(config, {}, inThread);
  const isFolder = source.kind === 'folder';
  const halt = new AbortController();
  const request = { ...PLAIN_LOAD, ifChanged: true, waitMs: LOCK_WAIT_MS };
  await watchLibrary(
    {
      revision: async (limited) => source.revision(limited),
      load: async (limited, revision) =>
        withStore(config, async (store) =>
          loadFrom(isFolder ? atRevision(source, revision) : source, store, config, request, {
            signal: limited,
          }),
        ).catch((error: unknown) => {
          if (error instanceof CommanderError) halt.abort(error);
          throw error;
        }),
    },
    {
      intervalMs,
      stillMs: isFolder ? FOLDER_STILL_MS : 0,
      destinationMs: DESTINATION_MS,
      signal: AbortSignal.any([signal, halt.signal]),
      onEvent,
      sleep: async (ms, limited) => sleep(ms, undefined, { signal: limited }),
      random: Math.random,
    },
  );
  halt.signal.throwIfAborted();
}

/** Files may still be being copied into the folder. */
const FOLDER_STILL_MS = 2_000;

/** Looking at the destination takes a session in the cluster. */
const DESTINATION_MS = 600_000;

/** A manual load may be in progress. */
const LOCK_WAIT_MS = 60_000;
