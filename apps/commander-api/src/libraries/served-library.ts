import {
  BlockedLibraryError,
  type Drift,
  type LibraryStatus,
  type LoadProgress,
  type LoadRecord,
  type LoadReport,
} from '@svc/library-sync';
import { type Actor, type AuditLog, reasonCode } from '../audit/audit-log.js';
import type { LibrarySettings } from '../config/commander-config.js';
import { CommanderError } from '../errors/commander-error.js';
import type { Logger } from '../http/providers.module.js';
import { withLibraryErrors } from './libraries.errors.js';
import { type LibraryOutcomes, loadCounts } from './library-outcomes.js';
import * as tasks from './library-tasks.js';
import { LibraryWatch } from './library-watch.js';
import { type LoadEvents, type LoadRequest, PLAIN_LOAD, runLoad } from './run-load.js';
import { PendingLoad } from './pending-load.js';

/** The HTTP counterpart of the commands, for one library. A load continues if its client disconnects, and ends with the server. */
export class ServedLibrary {
  private readonly shutdown = new AbortController();
  private readonly events: LoadEvents = { signal: this.shutdown.signal, inThread: true };
  private readonly running = new Set<Promise<unknown>>();
  private readonly pushed: PendingLoad;
  private readonly schedule: LibraryWatch;
  /** Diffs and dry runs keep a library in memory and take no lock, so only one runs at a time. */
  private isPlanning = false;
  /** Who sent the last push. */
  private pusher: Actor = { actor: 'hook' };

  constructor(
    readonly settings: LibrarySettings,
    private readonly logger: Logger,
    readonly outcomes: LibraryOutcomes,
    private readonly audit: AuditLog,
  ) {
    this.pushed = new PendingLoad({
      load: async () => this.load({ ...PLAIN_LOAD, ifChanged: true, waitMs: PUSH_WAIT_MS }, this.pusher),
      mayPass: (error) => !isLasting(error),
      onRetry: (nextMs) => this.logger.warn({ next_ms: nextMs }, 'retrying the load of a push'),
      signal: this.shutdown.signal,
      retryMs: PUSH_RETRY_MS,
    });
    this.schedule = new LibraryWatch(settings, logger, outcomes, audit);
  }

  /** @throws {CommanderError} */
  async load(
    request: LoadRequest,
    by: Actor,
    onProgress?: (progress: LoadProgress) => void,
  ): Promise<LoadReport> {
    const events = { ...this.events, onProgress };
    const run = async (): Promise<LoadReport> =>
      this.logged('load', request, by, async () => runLoad(this.settings, request, events));
    return request.dryRun ? this.planned(run) : run();
  }

  async rollback(request: tasks.RollbackRequest, by: Actor): Promise<LoadReport> {
    const run = async (): Promise<LoadReport> =>
      this.logged('rollback', request, by, async () => tasks.rollback(this.settings, request, this.events));
    return request.dryRun ? this.planned(run) : run();
  }

  /** @param ref instead of `source.ref` */
  async diff(ref?: string): Promise<LoadReport> {
    return this.planned(async () =>
      withLibraryErrors(async () => tasks.diff(this.settings, { ref }, this.events)),
    );
  }

  async status(drift: boolean): Promise<LibraryStatus & { readonly drift?: readonly Drift[] }> {
    return withLibraryErrors(async () => tasks.status(this.settings, { drift }));
  }

  async history(): Promise<LoadRecord[]> {
    return withLibraryErrors(async () => tasks.history(this.settings));
  }

  /**
   * Loads a push in the background, retrying until temporary errors are over.
   *
   * @param address of the git server
   */
  loadForHook(address: string): void {
    this.pusher = { actor: 'hook', address };
    this.pushed.request();
  }

  /** Checks the source every `source.interval`, if that is set. */
  watch(delayMs: number): void {
    this.schedule.start(this.shutdown.signal, delayMs);
  }

  /** Aborts what is in progress. */
  async stop(): Promise<void> {
    this.shutdown.abort();
    await Promise.allSettled([...this.running, this.pushed.settled(), this.schedule.settled()]);
  }

  /** @throws {CommanderError} if another one is in progress */
  private async planned(run: () => Promise<LoadReport>): Promise<LoadReport> {
    if (this.isPlanning) {
      throw new CommanderError('planning_in_progress', 'Another diff or dry run is in progress.');
    }
    this.isPlanning = true;
    return run().finally(() => (this.isPlanning = false));
  }

  private async logged(
    what: 'load' | 'rollback',
    { dryRun }: { readonly dryRun: boolean },
    by: Actor,
    run: () => Promise<LoadReport>,
  ): Promise<LoadReport> {
    const event = `library.${what}` as const;
    const { name: target } = this.settings;
    const running = withLibraryErrors(run);
    this.running.add(running);
    try {
      const { problems, foreign, kept, unreadable, changes, ...summary } = await running;
      if (!dryRun) {
        this.outcomes.ended(summary);
        this.audit.record(event, by, { outcome: 'succeeded', target, details: loadCounts(summary) });
      }
      this.logger.info({ library: { ...summary, problems: problems.length } }, `library ${what}`);
      return { problems, foreign, kept, unreadable, ...summary, ...(changes && { changes }) };
    } catch (error) {
      if (!dryRun) {
        if (!isAboutRequest(what, by, error)) this.outcomes.failed(reasonOf(error));
        this.audit.record(event, by, { outcome: 'failed', target, reason: reasonCode(error) });
      }
      this.logger.warn({ reason: reasonOf(error) }, `library ${what} failed`);
      throw error;
    } finally {
      this.running.delete(running);
    }
  }
}

/** Time to wait for another load. */
const PUSH_WAIT_MS = 60_000;
const PUSH_RETRY_MS = 2_000;

/** True for an error that lasts until the source or the configuration changes, or an operator completes a rollback. */
function isLasting(error: unknown): boolean {
  if (!(error instanceof CommanderError) || error.cause instanceof BlockedLibraryError) return false;
  return error.needsRestart || LASTING.includes(error.code);
}

const LASTING: readonly string[] = [
  'invalid_library',
  'other_source',
  'unverified_source',
  'rollback_interrupted',
];

/** The caller asked for what cannot be done now: nothing is wrong with the library. */
function isAboutRequest(what: 'load' | 'rollback', { actor }: Actor, error: unknown): boolean {
  if (!(error instanceof CommanderError)) return false;
  // A push is loaded again, a request is not.
  if (error.code === 'library_locked' && actor !== 'hook') return true;
  // A load's source is the library's own, while a rollback names the load that it wants.
  if (what === 'rollback' && error.code === 'unverified_source') return true;
  return ['load_not_found', 'load_not_restorable', 'load_overtaken'].includes(error.code);
}

function reasonOf(error: unknown): string {
  return error instanceof CommanderError ? error.detail : (error as Error).message;
}
