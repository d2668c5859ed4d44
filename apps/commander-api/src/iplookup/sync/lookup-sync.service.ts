import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { watchDelay } from '@svc/library-sync';
import type { CommanderConfig } from '../../config/commander-config.js';
import { COMMANDER_CONFIG, LOGGER, type Logger } from '../../http/providers.module.js';
import { buildEpoch } from '../build/build-flags.js';
import { runInThread } from '../build/build-in-thread.js';
import { BuildQueue } from '../build/build-queue.js';
import { cleanFetched, fetchSources } from './fetch-sources.js';
import { lookupFolder } from '../files/lookup-paths.js';
import { SyncMetrics } from './sync-metrics.js';
import type { LookupDeclaration } from './parse-lookup-declarations.js';
import { readLookupDeclarations, sourcePaths } from './read-lookup-declarations.js';
import { planLookup, type SyncedLookup } from './sync-lookups.js';
import { SyncStates } from './sync-state.js';
import type { SyncTask } from './sync-worker.js';

const PROGRAM = new URL('./sync-worker.js', import.meta.url);

/** Builds declared lookups that are out of date, every `iplookup.interval`. */
@Injectable()
export class LookupSyncService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly shutdown = new AbortController();
  private running: Promise<void> | undefined;

  constructor(
    @Inject(COMMANDER_CONFIG) private readonly config: CommanderConfig,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly queue: BuildQueue,
    private readonly metrics: SyncMetrics,
  ) {}

  onApplicationBootstrap(): void {
    const { intervalMs } = this.config.iplookup;
    if (intervalMs !== undefined) this.running = this.repeat(intervalMs);
  }

  async onApplicationShutdown(): Promise<void> {
    this.shutdown.abort();
    await this.running;
  }

  private async repeat(intervalMs: number): Promise<void> {
    const { signal } = this.shutdown;
    let failures = 0;
    while (!signal.aborted) {
      const isDone = await this.syncAll();
      failures = isDone ? 0 : failures + 1;
      const jitter = 0.9 + Math.random() / 5;
      await sleep(watchDelay(intervalMs, failures, jitter), undefined, { signal }).catch(() => undefined);
    }
  }

  /** @returns false if a lookup failed */
  private async syncAll(): Promise<boolean> {
    try {
      const folder = lookupFolder(this.config);
      let failed = 0;
      const declarations = readLookupDeclarations(this.config);
      for (const declaration of declarations) if (!(await this.sync(declaration, folder))) failed += 1;
      this.metrics.keepOnly(declarations.map(({ name }) => name));
      await new SyncStates(folder).clean(Date.now());
      await cleanFetched(folder, declarations, Date.now());
      return failed === 0;
    } catch (error) {
      this.logger.error({ reason: (error as Error).message }, 'declared lookups are not synced');
      return false;
    }
  }

  private async sync(declaration: LookupDeclaration, folder: string): Promise<boolean> {
    try {
      const synced = await this.run(declaration, folder);
      this.metrics.countSynced(synced);
      if (synced.result === 'built') {
        const { lookup, reasons, records, bytes } = synced;
        this.logger.info({ iplookup: { lookup, reasons, records, bytes } }, 'lookup synced');
      }
      return true;
    } catch (error) {
      if (this.shutdown.signal.aborted) return false;
      this.metrics.countFailed(declaration.name);
      const fields = { lookup: declaration.name, reason: (error as Error).message };
      this.logger.warn(fields, 'lookup sync failed: the former lookup remains');
      return false;
    }
  }

  /** Builds in a thread of its own, after builds over HTTP. */
  private async run(declaration: LookupDeclaration, folder: string): Promise<SyncedLookup> {
    const { signal } = this.shutdown;
    await fetchSources(declaration, this.config, folder, signal, (step) => this.logger.info(step));
    const paths = sourcePaths(this.config, declaration);
    const task: SyncTask = {
      declaration,
      folder,
      paths,
      buildEpoch: buildEpoch(process.env, Date.now()),
      keepVersions: this.config.iplookup.keep_versions,
    };
    const planned = await planLookup(declaration, { folder, paths, signal });
    if (planned.result === 'unchanged') return planned;
    const folders = [folder, new SyncStates(folder).layers];
    const outcome = await this.queue.run(async () =>
      runInThread<SyncedLookup>(PROGRAM, task, folders, signal),
    );
    if ('error' in outcome) throw outcome.error;
    return outcome.summary;
  }
}
