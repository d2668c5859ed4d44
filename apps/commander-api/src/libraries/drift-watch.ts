import {
  atRevision,
  type Drift,
  type DriftEvent,
  type LibraryStore,
  type LoadReport,
  readDrift,
  readHistory,
} from '@svc/library-sync';
import type { LibrarySettings } from '../config/commander-config.js';
import { openConfiguredSource } from './open-library.js';
import { restoreLoad } from './restore-load.js';
import { type LoadEvents, loadFrom, PLAIN_LOAD } from './run-load.js';
import { withStore } from './shared-store.js';

/** The pause after a comparison, which reads the whole library, is at least this many times its duration. */
const PAUSE_FACTOR = 9;

/** Periodically compares the destination with what the last load wrote, and reports changes. */
export class DriftWatch {
  private known = '';
  private notBefore = -Infinity;

  /** @param repairs whether to restore what others changed */
  constructor(
    private readonly config: LibrarySettings,
    private readonly repairs: boolean,
    private readonly events: LoadEvents & { readonly waitMs: number },
  ) {}

  /** @returns undefined if nothing changed since the last comparison, if it was too recent, or while a load is pending */
  async inspect(signal: AbortSignal): Promise<DriftEvent | undefined> {
    const start = performance.now();
    if (start < this.notBefore) return undefined;
    try {
      return await withStore(this.config, async (store) => {
        const drift = await readDrift(store);
        return drift && this.answerDrift(drift, store, signal);
      });
    } finally {
      const end = performance.now();
      this.notBefore = end + PAUSE_FACTOR * (end - start);
    }
  }

  private async answerDrift(
    drift: readonly Drift[],
    store: LibraryStore,
    signal: AbortSignal,
  ): Promise<DriftEvent | undefined> {
    if (this.repairs && drift.some(({ change }) => change !== 'unreadable')) {
      this.known = '';
      try {
        const report = await repair(store, this.config, { ...this.events, signal });
        return report && !report.skipped ? { kind: 'repaired', drift, report } : undefined;
      } catch (error) {
        signal.throwIfAborted();
        return { kind: 'drift-failed', error: error as Error, drift };
      }
    }
    const found = JSON.stringify(drift);
    if (found === (this.known || '[]')) return undefined;
    this.known = found;
    return { kind: 'drifted', drift };
  }
}

/** Restores what the last load wrote. @returns undefined if there was none */
async function repair(
  store: LibraryStore,
  config: LibrarySettings,
  { waitMs, ...events }: LoadEvents & { readonly waitMs: number },
): Promise<LoadReport | undefined> {
  const [last] = await readHistory(store);
  if (!last) return undefined;
  const request = { ...PLAIN_LOAD, prune: 'none', waitMs, repairs: last.load } as const;
  const source = openConfiguredSource(config, {}, events.inThread);
  const isFolder = source.kind === 'folder' && source.origin === last.origin;
  // Unchanged since, a folder needs no copy.
  return isFolder && (await source.revision(events.signal)) === last.revision
    ? loadFrom(atRevision(source, last.revision), store, config, request, events)
    : restoreLoad(last, store, config, request, events);
}
