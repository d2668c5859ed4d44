import { setTimeout as sleep } from 'node:timers/promises';
import type { Drift, LoadReport, WatchEvent } from '@svc/library-sync';
import { type AuditLog, BY_INTERVAL, reasonCode } from '../audit/audit-log.js';
import type { LibrarySettings } from '../config/commander-config.js';
import type { Logger } from '../http/providers.module.js';
import { type LibraryOutcomes, loadCounts } from './library-outcomes.js';
import * as tasks from './library-tasks.js';

/** A library may have thousands of errors. */
const LOGGED_LINES = 20;

const firstLines = ({ message }: Error): string => message.split('\n').slice(0, LOGGED_LINES).join('\n');

/** How many nodes drifted, and the first of them. */
const summaryOf = (drift: readonly Drift[]) => ({ nodes: drift.length, first: drift.slice(0, LOGGED_LINES) });

/** Checks the source of a library every `source.interval` and loads changes. */
export class LibraryWatch {
  private watching: Promise<void> | undefined;

  constructor(
    private readonly settings: LibrarySettings,
    private readonly logger: Logger,
    private readonly outcomes: LibraryOutcomes,
    private readonly audit: AuditLog,
  ) {}

  /** Until the signal aborts. */
  start(signal: AbortSignal, delayMs: number): void {
    const { intervalMs } = this.settings.source;
    if (intervalMs === undefined) return;
    this.watching = sleep(delayMs, undefined, { signal })
      .then(async () =>
        tasks.watch(this.settings, intervalMs, { signal, inThread: true, keepsTrying: true }, (event) =>
          this.log(event),
        ),
      )
      .catch((error: Error) => {
        if (signal.aborted) return;
        this.outcomes.failed(error.message);
        this.logger.error({ reason: error.message }, 'cannot watch the source');
      });
  }

  async settled(): Promise<void> {
    await this.watching;
  }

  private log(event: WatchEvent): void {
    if (event.kind === 'failed') {
      this.outcomes.failed(firstLines(event.error));
      this.failed(event.error);
      this.logger.warn({ reason: firstLines(event.error), next_ms: event.nextMs }, 'library load failed');
    } else if (event.kind === 'changing') {
      this.logger.warn({ next_ms: event.nextMs }, 'library not loaded: its source keeps changing');
    } else if (event.kind === 'unchanged') {
      if (!event.isInvalid) this.outcomes.unchanged();
    } else if (event.kind === 'loaded') {
      this.loaded(event.report, 'library load');
    } else if (event.kind === 'drifted') {
      this.outcomes.drifted(event.drift);
      this.logger.warn({ drift: summaryOf(event.drift) }, 'library drift');
    } else if (event.kind === 'repaired') {
      this.outcomes.drifted(event.drift.filter(({ change }) => change === 'unreadable'));
      this.logger.warn({ drift: summaryOf(event.drift) }, 'library drift repaired');
      this.loaded(event.report, 'library load');
    } else if (event.kind === 'drift-failed') {
      if (event.drift) this.outcomes.drifted(event.drift);
      const found = event.drift && { drift: summaryOf(event.drift) };
      const message = event.drift ? 'library drift not repaired' : 'library drift unknown';
      this.logger.warn({ reason: firstLines(event.error), ...found }, message);
    }
  }

  private failed(error: Error): void {
    const { name: target } = this.settings;
    this.audit.record('library.load', BY_INTERVAL, { outcome: 'failed', target, reason: reasonCode(error) });
  }

  private loaded(report: LoadReport, message: string): void {
    this.outcomes.ended(report);
    const counts = loadCounts(report);
    const { name: target } = this.settings;
    this.audit.record('library.load', BY_INTERVAL, { outcome: 'succeeded', target, details: counts });
    this.logger.info({ library: counts }, message);
  }
}
