import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { watchDelay } from '@svc/library-sync';
import type { CommanderConfig } from '../../config/commander-config.js';
import { COMMANDER_CONFIG, LOGGER, type Logger } from '../../http/providers.module.js';
import { listAllLookupFiles } from '../files/lookup-files.js';
import { lookupFolder } from '../files/lookup-paths.js';
import { announceLookups, announcePath } from './announce-lookups.js';

/** How often the folder is checked; the cluster is queried only after a change. */
const INTERVAL_MS = 2_000;

/** How often the cluster is queried anyway: others may have changed the nodes, or restored it from a backup. */
const RECHECK_MS = 10 * 60_000;

/** Announces lookups in the cluster whenever their files change, whoever built them. */
@Injectable()
export class AnnouncementService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly shutdown = new AbortController();
  private running: Promise<void> | undefined;
  private failures = 0;
  /** The files that were announced, and when. */
  private announced: { readonly files: string; readonly at: number } | undefined;

  constructor(
    @Inject(COMMANDER_CONFIG) private readonly config: CommanderConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** @throws {CommanderError} if the configuration is contradictory */
  onApplicationBootstrap(): void {
    if (this.config.iplookup.announce === undefined) return;
    announcePath(this.config);
    lookupFolder(this.config);
    this.running = this.repeat();
  }

  async onApplicationShutdown(): Promise<void> {
    this.shutdown.abort();
    await this.running;
  }

  private async repeat(): Promise<void> {
    const { signal } = this.shutdown;
    while (!signal.aborted) {
      await this.announceChanges();
      const waitMs = watchDelay(INTERVAL_MS, this.failures, 0.9 + Math.random() / 5);
      await sleep(waitMs, undefined, { signal }).catch(() => undefined);
    }
  }

  private async announceChanges(): Promise<void> {
    try {
      const files = JSON.stringify((await listAllLookupFiles(lookupFolder(this.config))) ?? []);
      const { announced } = this;
      const isCurrent = announced?.files === files && performance.now() - announced.at < RECHECK_MS;
      const done = isCurrent ? undefined : await announceLookups(this.config, this.shutdown.signal);
      this.failures = 0;
      if (done === undefined) return;
      this.announced = { files, at: performance.now() };
      if (done.announced.length + done.withdrawn.length > 0)
        this.logger.info({ iplookup: done }, 'lookups announced');
    } catch (error) {
      if (this.shutdown.signal.aborted) return;
      this.failures++;
      this.logger.warn({ reason: (error as Error).message }, 'lookups cannot be announced');
    }
  }
}
