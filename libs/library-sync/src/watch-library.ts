import { InvalidLibraryError } from './library-problem.js';
import type { LoadReport } from './load-report.js';

/** What a watch tells of each look at the source. */
export type WatchEvent =
  | { readonly kind: 'loaded'; readonly report: LoadReport }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'failed'; readonly error: Error; readonly nextMs: number };

export interface WatchOptions {
  /** From the end of one look to the next. */
  readonly intervalMs: number;
  readonly signal: AbortSignal;
  readonly onEvent: (event: WatchEvent) => void;
  /** Waits; rejects when the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<unknown>;
  /** From 0 to 1, for jitter: many watchers must not look at the same moment. */
  readonly random: () => number;
}

/** One look: the source's revision, and a load when it changed. */
export interface WatchedLibrary {
  revision(signal: AbortSignal): Promise<string>;
  load(signal: AbortSignal): Promise<LoadReport>;
}

/** After failures the interval doubles, up to this many times the configured one. */
const LONGEST_BACKOFF = 32;

/**
 * Looks at the source again and again and loads it when it changed. A revision whose content is invalid is tried once;
 * what failed for want of a server is tried again, ever more slowly.
 *
 * @returns when the signal aborts
 */
export async function watchLibrary(library: WatchedLibrary, options: WatchOptions): Promise<void> {
  const { signal, onEvent, intervalMs } = options;
  let invalid: string | undefined;
  let failures = 0;
  while (!signal.aborted) {
    let revision: string | undefined;
    try {
      revision = await library.revision(signal);
      if (revision === invalid) onEvent({ kind: 'unchanged' });
      else {
        const report = await library.load(signal);
        onEvent(report.skipped ? { kind: 'unchanged' } : { kind: 'loaded', report });
      }
      failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof InvalidLibraryError) invalid = revision;
      else failures += 1;
      onEvent({ kind: 'failed', error: error as Error, nextMs: delay(intervalMs, failures, 1) });
    }
    await options
      .sleep(delay(intervalMs, failures, 0.9 + options.random() / 5), signal)
      .catch(() => undefined);
  }
}

function delay(intervalMs: number, failures: number, jitter: number): number {
  return Math.round(intervalMs * Math.min(LONGEST_BACKOFF, 2 ** failures) * jitter);
}
