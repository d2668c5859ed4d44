import { MAX_TIMER_MS } from '@svc/foundation';
import { BlockedLibraryError, InvalidLibraryError } from './ports/library-finding.js';
import type { Drift } from './library-status.js';
import type { CheckedSource } from './checked-source.js';
import { type LibrarySource, SourceChangedError } from './ports/library-source.js';
import type { LoadReport } from './load-report.js';

/** The outcome of each poll. */
export type WatchEvent =
  | { readonly kind: 'loaded'; readonly report: LoadReport }
  /** `isInvalid`: still the revision that failed the checks. */
  | { readonly kind: 'unchanged'; readonly isInvalid?: true }
  /** The source was changing: nothing was loaded. */
  | { readonly kind: 'changing'; readonly nextMs: number }
  | { readonly kind: 'failed'; readonly error: Error; readonly nextMs: number }
  | DriftEvent;

/** The outcome of inspecting the destination. */
export type DriftEvent =
  /** Nodes that others changed; empty once there are none left. */
  | { readonly kind: 'drifted'; readonly drift: readonly Drift[] }
  /** Nodes that were restored. */
  | { readonly kind: 'repaired'; readonly drift: readonly Drift[]; readonly report: LoadReport }
  /** The inspection or, with `drift`, the repair failed. */
  | { readonly kind: 'drift-failed'; readonly error: Error; readonly drift?: readonly Drift[] };

export interface WatchOptions {
  /** From the end of one poll to the start of the next. */
  readonly intervalMs: number;
  /** How long a changed source must be stable before it is loaded; 0 if every revision is complete. */
  readonly stillMs: number;
  /**
   * How often to compare an unchanged source with the destination, which may have been emptied, and at least to try an invalid
   * one again, whose lookups, schemas or keys may have changed. Default: each poll, and every 32 polls.
   */
  readonly destinationMs?: number;
  readonly signal: AbortSignal;
  readonly onEvent: (event: WatchEvent) => void;
  /** Waits; rejects when the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<unknown>;
  /** From 0 to 1, for jitter, so that watchers do not poll in lockstep. */
  readonly random: () => number;
}

/** What a watch polls and loads. */
export interface WatchedLibrary {
  revision(signal: AbortSignal): Promise<string>;
  /**
   * @param revision the one just seen
   * @throws {SourceChangedError} if the source has moved on
   */
  load(signal: AbortSignal, revision: string): Promise<LoadReport>;
  /**
   * Compares the destination with the last load, after each poll. @returns undefined if there is nothing new to report
   */
  inspect?(signal: AbortSignal): Promise<DriftEvent | undefined>;
}

/** After failures the interval doubles, up to this many times the configured one. */
const LONGEST_BACKOFF = 32;

/** Polls of a source that keeps changing before waiting for the next interval. */
const MAX_LOOKS = 30;

/**
 * Polls the source and loads it once it has changed and is stable. Failures caused by unreachable servers or by others' nodes
 * are retried with backoff; an invalid revision is polled as usual, but tried again at growing intervals only.
 *
 * @returns when the signal aborts
 */
export async function watchLibrary(library: WatchedLibrary, options: WatchOptions): Promise<void> {
  const { signal, onEvent, intervalMs } = options;
  let settled: SettledRevision | undefined;
  let failures = 0;
  while (!signal.aborted) {
    let revision: string | undefined;
    try {
      revision = await library.revision(signal);
      if (revision !== settled?.revision) revision = await awaitStill(library, revision, options);
      if (revision === undefined) onEvent({ kind: 'changing', nextMs: intervalMs });
      else if (revision === settled?.revision && settled.restingPolls > 0) {
        settled.restingPolls -= 1;
        onEvent({ kind: 'unchanged', ...(settled.refusals > 0 && { isInvalid: true }) });
      } else {
        if (settled) settled.restingPolls = 0;
        const report = await library.load(signal, revision);
        settled = settle(revision, 0, options);
        onEvent(report.skipped ? { kind: 'unchanged' } : { kind: 'loaded', report });
      }
      failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof SourceChangedError) onEvent({ kind: 'changing', nextMs: intervalMs });
      else {
        const isBlocked = error instanceof BlockedLibraryError;
        if (error instanceof InvalidLibraryError && !isBlocked && revision !== undefined) {
          const refusals: number = settled?.revision === revision ? settled.refusals : 0;
          settled = settle(revision, refusals + 1, options);
        } else failures += 1;
        onEvent({ kind: 'failed', error: error as Error, nextMs: watchDelay(intervalMs, failures, 1) });
      }
    }
    await inspect(library, options);
    await options
      .sleep(watchDelay(intervalMs, failures, 0.9 + options.random() / 5), signal)
      .catch(() => undefined);
  }
}

/** The revision tried last, which need not be tried at each poll. */
interface SettledRevision {
  readonly revision: string;
  /** How often it was invalid; 0 if it was loaded. */
  readonly refusals: number;
  /** Polls until it is tried again. */
  restingPolls: number;
}

function settle(
  revision: string,
  refusals: number,
  { intervalMs, destinationMs }: WatchOptions,
): SettledRevision {
  const polls = destinationMs === undefined ? undefined : Math.floor(destinationMs / intervalMs);
  const restingPolls = refusals === 0 ? (polls ?? 0) : Math.min(polls ?? LONGEST_BACKOFF, 2 ** refusals);
  return { revision, refusals, restingPolls };
}

async function inspect(library: WatchedLibrary, { signal, onEvent }: WatchOptions): Promise<void> {
  try {
    const event = await library.inspect?.(signal);
    if (event) onEvent(event);
  } catch (error) {
    if (!signal.aborted) onEvent({ kind: 'drift-failed', error: error as Error });
  }
}

/** @returns undefined if the source keeps changing */
async function awaitStill(
  library: WatchedLibrary,
  first: string,
  { stillMs, sleep, signal }: WatchOptions,
): Promise<string | undefined> {
  if (stillMs === 0) return first;
  let last = first;
  for (let looks = 0; looks < MAX_LOOKS; looks += 1) {
    await sleep(stillMs, signal);
    const now = await library.revision(signal);
    if (now === last) return now;
    last = now;
  }
  return undefined;
}

/** A source that can only be read at this revision. */
export function atRevision(source: LibrarySource, revision: string): LibrarySource;
export function atRevision(
  source: LibrarySource | CheckedSource,
  revision: string,
): LibrarySource | CheckedSource;
export function atRevision(
  source: LibrarySource | CheckedSource,
  revision: string,
): LibrarySource | CheckedSource {
  const { name, kind, origin } = source;
  const identity = {
    ...{ name, kind, origin },
    revision: async (signal?: AbortSignal) => source.revision(signal),
    release: () => source.release?.(),
  };
  const expect = <T extends { readonly revision: string }>(read: T): T => {
    if (read.revision === revision) return read;
    throw new SourceChangedError(`the source ${name} changed before it was read`);
  };
  return 'readChecked' in source
    ? { ...identity, readChecked: async (...request) => expect(await source.readChecked(...request)) }
    : { ...identity, read: async (...request) => expect(await source.read(...request)) };
}

/** Milliseconds to wait after this many failures: doubles each time, up to a limit, which is at most what timers can take. */
export function watchDelay(intervalMs: number, failures: number, jitter: number): number {
  const delayMs = Math.round(intervalMs * Math.min(LONGEST_BACKOFF, 2 ** failures) * jitter);
  return Math.min(delayMs, MAX_TIMER_MS);
}
