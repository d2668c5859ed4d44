import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { WatchEvent } from '@svc/library-sync';
import type { CommanderConfig } from '../config/commander-config.js';
import { COMMANDER_CONFIG, LOGGER, type Logger } from '../http/providers.module.js';
import { LibraryMetrics } from './library-metrics.js';
import * as tasks from './library-tasks.js';

/** A library may have thousands of errors. */
const LOGGED_LINES = 20;

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
      .catch((error: Error) => this.logger.error({ reason: error.message }, 'the source is not watched'));
  }

  async onApplicationShutdown(): Promise<void> {
    this.shutdown.abort();
    await this.watching;
  }

  private log(event: WatchEvent): void {
    if (event.kind === 'failed') {
      this.metrics.countFailed();
      const reason = event.error.message.split('\n').slice(0, LOGGED_LINES).join('\n');
      this.logger.warn({ reason, next_ms: event.nextMs }, 'library load failed');
    } else if (event.kind === 'changing') {
      this.logger.warn({ next_ms: event.nextMs }, 'library not loaded: its source keeps changing');
    } else if (event.kind === 'loaded') {
      this.metrics.countEnded(event.report);
      const { load, revision, created, updated, deleted, changed } = event.report;
      this.logger.info({ library: { load, revision, created, updated, deleted, changed } }, 'library load');
    }
  }
}
