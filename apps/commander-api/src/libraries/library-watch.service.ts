import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Drift, LoadReport, WatchEvent } from '@svc/library-sync';
import type { CommanderConfig } from '../config/commander-config.js';
import { COMMANDER_CONFIG, LOGGER, type Logger } from '../http/providers.module.js';
import { LibraryMetrics } from './library-metrics.js';
import * as tasks from './library-tasks.js';

/** A library may have thousands of errors. */
const LOGGED_LINES = 20;

const firstLines = ({ message }: Error): string => message.split('\n').slice(0, LOGGED_LINES).join('\n');

/** How many nodes drifted, and the first of them. */
const summaryOf = (drift: readonly Drift[]) => ({ nodes: drift.length, first: drift.slice(0, LOGGED_LINES) });

/** Checks the source every `source.interval` and loads changes. */
@Injectable()
export class LibraryWatchService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly shutdown = new AbortController();
  private watching: Promise<void> | undefined;

  constructor(
    @Inject(COMMANDER_CONFIG) private readonly config: CommanderConfig,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: LibraryMetrics,
  ) {}

  onApplicationBootstrap(): void {
    const { intervalMs } = this.config.source;
    if (intervalMs === undefined) return;
    this.watching = tasks
      .watch(this.config, intervalMs, { signal: this.shutdown.signal, inThread: true }, (event) =>
        this.log(event),
      )
      .catch((error: Error) => this.logger.error({ reason: error.message }, 'cannot watch the source'));
  }

  async onApplicationShutdown(): Promise<void> {
    this.shutdown.abort();
    await this.watching;
  }

  private log(event: WatchEvent): void {
    if (event.kind === 'failed') {
      this.metrics.countFailed();
      this.logger.warn({ reason: firstLines(event.error), next_ms: event.nextMs }, 'library load failed');
    } else if (event.kind === 'changing') {
      this.logger.warn({ next_ms: event.nextMs }, 'library not loaded: its source keeps changing');
    } else if (event.kind === 'loaded') {
      this.loaded(event.report, 'library load');
    } else if (event.kind === 'drifted') {
      this.metrics.setDrift(event.drift);
      this.logger.warn({ drift: summaryOf(event.drift) }, 'library drift');
    } else if (event.kind === 'repaired') {
      this.metrics.setDrift(event.drift.filter(({ change }) => change === 'unreadable'));
      this.logger.warn({ drift: summaryOf(event.drift) }, 'library drift repaired');
      this.loaded(event.report, 'library load');
    } else if (event.kind === 'drift-failed') {
      if (event.drift) this.metrics.setDrift(event.drift);
      const found = event.drift && { drift: summaryOf(event.drift) };
      const message = event.drift ? 'library drift not repaired' : 'library drift unknown';
      this.logger.warn({ reason: firstLines(event.error), ...found }, message);
    }
  }

  private loaded(report: LoadReport, message: string): void {
    this.metrics.countEnded(report);
    const { load, revision, created, updated, deleted, changed } = report;
    this.logger.info({ library: { load, revision, created, updated, deleted, changed } }, message);
  }
}
