import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { previousLookupFile } from '@svc/iplookup-core';
import { watchDelay } from '@svc/library-sync';
import type { CommanderConfig } from '../../config/commander-config.js';
import { COMMANDER_CONFIG, LOGGER, type Logger } from '../../http/providers.module.js';
import { buildEpoch } from '../build/build-flags.js';
import { runInThread } from '../build/build-in-thread.js';
import { BuildQueue } from '../build/build-queue.js';
import { manifestTool } from '../build/manifest-tool.js';
import { lookupFile } from './compare-lookup.js';
import { cleanFetched, fetchSources } from './fetch-sources.js';
import { lookupFolder } from '../files/lookup-paths.js';
import { SyncOutcomes } from './sync-outcomes.js';
import type { LookupDeclaration } from './lookup-declaration.js';
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
  /** Consecutive ones of each lookup. */
  private readonly failures = new Map<string, { readonly count: number; readonly retryAt: number }>();

  constructor(
    @Inject(COMMANDER_CONFIG) private readonly config: CommanderConfig,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly queue: BuildQueue,
    private readonly outcomes: SyncOutcomes,
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
    while (!signal.aborted) {
      await this.syncAll(intervalMs);
      const jitter = 0.9 + Math.random() / 5;
      await sleep(watchDelay(intervalMs, 0, jitter), undefined, { signal }).catch(() => undefined);
    }
  }

  private async syncAll(intervalMs: number): Promise<void> {
    try {
      const folder = lookupFolder(this.config);
      const declarations = readLookupDeclarations(this.config);
      const names = declarations.map(({ name }) => name);
      for (const declaration of declarations) await this.syncIfDue(declaration, folder, intervalMs);
      this.outcomes.keepOnly(names);
      await new SyncStates(folder).clean(Date.now(), names);
      await cleanFetched(folder, declarations, Date.now());
      this.outcomes.runEnded();
    } catch (error) {
      this.outcomes.runEnded(error);
    }
  }

  /** A lookup that fails is tried less and less often; the others are not delayed. */
  private async syncIfDue(declaration: LookupDeclaration, folder: string, intervalMs: number): Promise<void> {
    const { name } = declaration;
    const { count = 0, retryAt = -Infinity } = this.failures.get(name) ?? {};
    if (performance.now() < retryAt) return;
    if (await this.sync(declaration, folder)) this.failures.delete(name);
    else {
      // Half an interval early, so that the jitter does not skip another run.
      const waitMs = watchDelay(intervalMs, count + 1, 1) - intervalMs / 2;
      this.failures.set(name, { count: count + 1, retryAt: performance.now() + waitMs });
    }
  }

  private async sync(declaration: LookupDeclaration, folder: string): Promise<boolean> {
    try {
      this.outcomes.synced(await this.run(declaration, folder));
      return true;
    } catch (error) {
      if (this.shutdown.signal.aborted) return false;
      const former = await previousLookupFile(lookupFile(folder, declaration));
      this.outcomes.failed(declaration.name, error, former !== undefined);
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
      manifestTool: manifestTool(this.config),
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
