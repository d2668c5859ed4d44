import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Drift, LibraryStatus, LoadProgress, LoadRecord, LoadReport } from '@svc/library-sync';
import { Problem } from '@svc/service-kit';
import type { CommanderConfig } from '../config/commander-config.js';
import { COMMANDER_CONFIG } from '../config/config.module.js';
import { LOGGER, type Logger } from '../http/logger.module.js';
import { LibraryLoads } from './library-loads.js';
import { toLibraryProblem } from './library-problem.js';
import * as tasks from './library-tasks.js';
import { type LoadEvents, type LoadRequest, PLAIN_LOAD, runLoad } from './run-load.js';

/** Does for the HTTP API what the commands do. A load goes on when its caller goes away; it ends with the server. */
@Injectable()
export class LibrariesService implements OnApplicationShutdown {
  private readonly shutdown = new AbortController();
  private readonly events: LoadEvents = { signal: this.shutdown.signal, inThread: true };
  private readonly running = new Set<Promise<unknown>>();
  private hookedLoad: Promise<void> | undefined;
  private isHookedAgain = false;
  /** A diff or dry run holds a library in memory and takes no lock: one at a time. */
  private isPlanning = false;

  constructor(
    @Inject(COMMANDER_CONFIG) private readonly config: CommanderConfig,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly loads: LibraryLoads,
  ) {}

  /** @throws {Problem} */
  async load(request: LoadRequest, onProgress?: (progress: LoadProgress) => void): Promise<LoadReport> {
    const events = { ...this.events, onProgress };
    const run = async (): Promise<LoadReport> =>
      this.logged('load', request, async () => runLoad(this.config, request, events));
    return request.dryRun ? this.planned(run) : run();
  }

  async rollback(request: tasks.RollbackRequest): Promise<LoadReport> {
    const run = async (): Promise<LoadReport> =>
      this.logged('rollback', request, async () => tasks.rollback(this.config, request, this.events));
    return request.dryRun ? this.planned(run) : run();
  }

  async diff(): Promise<LoadReport> {
    return this.planned(async () => attempt(async () => tasks.diff(this.config, {}, this.events)));
  }

  async status(drift: boolean): Promise<LibraryStatus & { readonly drift?: readonly Drift[] }> {
    return attempt(async () => tasks.status(this.config, { drift }));
  }

  async history(): Promise<LoadRecord[]> {
    return attempt(async () => tasks.history(this.config));
  }

  /** Loads what a push brought, in the background; a push during that load is followed by one more. */
  loadForHook(): void {
    this.isHookedAgain = true;
    this.hookedLoad ??= this.drainHooks().finally(() => (this.hookedLoad = undefined));
  }

  async onApplicationShutdown(): Promise<void> {
    this.shutdown.abort();
    await Promise.allSettled([...this.running, this.hookedLoad]);
  }

  private async drainHooks(): Promise<void> {
    while (this.isHookedAgain && !this.shutdown.signal.aborted) {
      this.isHookedAgain = false;
      // What went wrong is in the log; nobody waits for the answer.
      await this.load({ ...PLAIN_LOAD, ifChanged: true, waitMs: HOOK_WAIT_MS }).catch(() => undefined);
    }
  }

  /** @throws {Problem} 409 */
  private async planned(run: () => Promise<LoadReport>): Promise<LoadReport> {
    if (this.isPlanning) {
      const headers = { 'retry-after': PLANNING_RETRY_S };
      throw new Problem({ status: 409, detail: 'Another diff or dry run is under way.', headers });
    }
    this.isPlanning = true;
    return run().finally(() => (this.isPlanning = false));
  }

  private async logged(
    what: string,
    { dryRun }: { readonly dryRun: boolean },
    run: () => Promise<LoadReport>,
  ): Promise<LoadReport> {
    const running = attempt(run);
    this.running.add(running);
    try {
      const { problems, foreign, kept, unreadable, changes, ...summary } = await running;
      if (!dryRun) this.loads.countEnded(summary);
      this.logger.info({ library: { ...summary, problems: problems.length } }, `library ${what}`);
      return { problems, foreign, kept, unreadable, ...summary, ...(changes && { changes }) };
    } catch (error) {
      if (!dryRun) this.loads.countFailed();
      this.logger.warn({ reason: (error as Error).message }, `library ${what} failed`);
      throw error;
    } finally {
      this.running.delete(running);
    }
  }
}

const HOOK_WAIT_MS = 60_000;
const PLANNING_RETRY_S = '5';

/** @throws {Problem} for what can go wrong with a library */
async function attempt<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw toLibraryProblem(error);
  }
}
