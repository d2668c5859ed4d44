import { setTimeout as sleep } from 'node:timers/promises';
import {
  atRevision,
  type Drift,
  type LastLoad,
  type LibraryStatus,
  type LoadRecord,
  type LoadReport,
  readDrift,
  readHistory,
  readLastLoad,
  readStatus,
  validateLibrary,
  type ValidationReport,
  watchLibrary,
  type WatchEvent,
} from '@svc/library-sync';
import { CommanderError } from '../errors/commander-error.js';
import type { LibrarySettings } from '../config/commander-config.js';
import { passwordCheck, readDeclarationRules } from './declaration-rules.js';
import { DriftWatch } from './drift-watch.js';
import { toLibraryError } from './libraries.errors.js';
import { assertNotNested } from './nested-folders.js';
import { openConfiguredSource, type SourceOverrides } from './open-library.js';
import { restoreLoad } from './restore-load.js';
import { configuredOptions, type LoadEvents, loadFrom, PLAIN_LOAD, runLoad } from './run-load.js';
import { withStore } from './shared-store.js';

/** What a load would change, including one that takes over from another source. */
export async function diff(
  config: LibrarySettings,
  overrides: SourceOverrides,
  events: LoadEvents,
): Promise<LoadReport> {
  const request = { ...PLAIN_LOAD, ...overrides, dryRun: true, takeOver: true, unverified: 'warn' } as const;
  return runLoad(config, request, events);
}

/** Validates the source as a load does, without a destination. */
export async function validate(
  config: LibrarySettings,
  overrides: SourceOverrides,
  signal: AbortSignal,
): Promise<ValidationReport> {
  const rules = await readDeclarationRules(config);
  const options = { ...configuredOptions(config), allowEmpty: false, rules };
  const check = await passwordCheck(config, overrides.source);
  const source = openConfiguredSource(config, { ...overrides, unverified: 'warn' });
  return validateLibrary(source, options, { signal, check });
}

/** The destination's last load; with `drift` also the changes made since. */
export async function status(
  config: LibrarySettings,
  { drift }: { readonly drift: boolean },
): Promise<LibraryStatus & { readonly drift?: readonly Drift[] }> {
  return withStore(config, async (store) => {
    const found = drift ? await readDrift(store) : undefined;
    const last = await readStatus(store, configuredOptions(config).versionNode);
    return { ...last, ...(found && { drift: found }) };
  });
}

/** The last loads, newest first. */
export async function history(config: LibrarySettings): Promise<LoadRecord[]> {
  return withStore(config, readHistory);
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
 * with its own number. If it was chosen by the number of loads to go back, another load must not finish meanwhile.
 */
export async function rollback(
  config: LibrarySettings,
  request: RollbackRequest,
  events: LoadEvents,
): Promise<LoadReport> {
  return withStore(config, async (store) => {
    const { dryRun, waitMs, to } = request;
    // Read before the history: a load that finishes in between must not go unnoticed.
    const last = await readLastLoad(store);
    const record = chooseRecord(await readHistory(store), request, last);
    const lastLoad = to === undefined ? last : undefined;
    const options = { ...PLAIN_LOAD, dryRun, waitMs, isRollback: true, lastLoad };
    return restoreLoad(record, store, config, options, events);
  });
}

/**
 * Counts back from the last finished load, whose record may be missing. If a load of the source was interrupted, going back begins
 * with that one.
 */
function chooseRecord(
  records: readonly LoadRecord[],
  { steps = 1, to }: RollbackRequest,
  { load, isInterrupted }: LastLoad,
): LoadRecord {
  // Without a manifest, the records are all that is known.
  const last = load || (records[0]?.load ?? 0);
  const find = (number: number) => records.find((record) => record.load === number);
  const earlier = records.filter((record) => record.load < last);
  const steppedTo = isInterrupted ? [find(last), ...earlier] : earlier;
  const record = to === undefined ? steppedTo[steps - 1] : find(to);
  if (record) return record;
  const known = records.map((one) => one.load).join(', ') || 'none';
  const isMissing = to === undefined && steps <= steppedTo.length && last > 0;
  throw new CommanderError(
    'load_not_found',
    isMissing
      ? `the record of load ${last}, the last finished one, is missing; restore another one with --to; known loads: ${known} (see svccmd library history)`
      : `no such load to roll back to; known loads: ${known} (see svccmd library history)`,
  );
}

export interface WatchRun extends Pick<LoadEvents, 'inThread'> {
  readonly signal: AbortSignal;
  /** Retries errors of settings, too: a file that they name may be provided later. */
  readonly keepsTrying?: boolean;
}

/**
 * Watches the configured source until the signal aborts.
 *
 * @throws {CommanderError} if a setting is invalid, since retrying would not help
 */
export async function watch(
  config: LibrarySettings,
  intervalMs: number,
  { signal, inThread, keepsTrying }: WatchRun,
  onEvent: (event: WatchEvent) => void,
): Promise<void> {
  const source = openConfiguredSource(config, {}, inThread);
  const isFolder = source.kind === 'folder';
  const halt = new AbortController();
  const request = { ...PLAIN_LOAD, ifChanged: true, waitMs: LOCK_WAIT_MS };
  const { drift = 'ignore' } = config.source;
  const driftWatch = new DriftWatch(config, drift === 'repair', {
    ...(inThread !== undefined && { inThread }),
    waitMs: LOCK_WAIT_MS,
  });
  await watchLibrary(
    {
      revision: async (limited) => source.revision(limited),
      load: async (limited, revision) => {
        const found = isFolder ? atRevision(source, revision) : source;
        return assertNotNested(source, config)
          .then(async () =>
            withStore(config, async (store) => loadFrom(found, store, config, request, { signal: limited })),
          )
          .catch((error: unknown) => {
            if (!keepsTrying && error instanceof CommanderError && error.needsRestart) halt.abort(error);
            throw error;
          });
      },
      ...(drift !== 'ignore' && { inspect: async (limited) => driftWatch.inspect(limited) }),
    },
    {
      intervalMs,
      stillMs: isFolder ? FOLDER_STILL_MS : 0,
      destinationMs: DESTINATION_MS,
      signal: AbortSignal.any([signal, halt.signal]),
      onEvent: (event) => onEvent('error' in event ? withLibraryError(event) : event),
      sleep: async (ms, limited) => sleep(ms, undefined, { signal: limited }),
      random: Math.random,
    },
  );
  halt.signal.throwIfAborted();
}

const withLibraryError = <T extends { readonly error: Error }>(event: T): T => ({
  ...event,
  error: toLibraryError(event.error) as Error,
});

/** Files may still be being copied into the folder. */
const FOLDER_STILL_MS = 2_000;

/** Looking at the destination takes a session in the cluster. */
const DESTINATION_MS = 600_000;

/** A manual load may be in progress. */
const LOCK_WAIT_MS = 60_000;
