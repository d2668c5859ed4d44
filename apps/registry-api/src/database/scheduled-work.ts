import { Logger, type OnApplicationShutdown, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { isConnectionError } from './database-errors.js';
import { readContext } from './read-context.js';

/** When work is done. */
export interface Schedule {
  /** At least this long passes between two runs and at most twice as long, so that replicas take turns. */
  readonly everyMs: number;
  /** The first run, where it is wanted soon after the start; otherwise it comes after `everyMs`, too. */
  readonly firstAfterMs?: number;
}

/** Work in the background that every replica does from time to time. What a failed run leaves undone, the next one does. */
export abstract class ScheduledWork implements OnModuleInit, OnModuleDestroy, OnApplicationShutdown {
  private readonly logger = new Logger(this.constructor.name);
  private readonly timers: NodeJS.Timeout[] = [];
  private running: Promise<void> | undefined;
  private isDueAgain = false;
  private isClosed = false;

  /** @param purpose as in "cannot delete old changes" */
  protected constructor(
    private readonly purpose: string,
    private readonly schedule: Schedule,
  ) {}

  /** @returns what to log, if anything */
  protected abstract run(now: Date): Promise<string | undefined>;

  onModuleInit(): void {
    const { everyMs, firstAfterMs } = this.schedule;
    const run = () => this.start();
    this.timers.push(setInterval(run, everyMs + Math.random() * everyMs).unref());
    if (firstAfterMs !== undefined) this.timers.push(setTimeout(run, firstAfterMs).unref());
  }

  /** Runs without waiting for the schedule; once more if it is running, since that run may have missed something. */
  runNow(): void {
    this.isDueAgain = this.running !== undefined;
    // What the current request may read does not limit the work.
    readContext.exit(() => this.start());
  }

  onModuleDestroy(): void {
    this.isClosed = true;
    // It clears timeouts, too.
    for (const timer of this.timers) clearInterval(timer);
  }

  /** The server stops listening before that, however long the run takes. */
  async onApplicationShutdown(): Promise<void> {
    await this.running;
  }

  /**
   * Repeats a step, which does at most `limit` at once so that it does not take long, until it finds less to do or the
   * service closes.
   *
   * @param step returns how many items it did
   * @returns how many all steps did
   */
  protected async inBatches(limit: number, step: () => Promise<number>): Promise<number> {
    let total = 0;
    for (let done = limit; done >= limit && !this.isClosed; total += done) done = await step();
    return total;
  }

  private start(): void {
    if (this.isClosed) return;
    this.running ??= this.runAndLog().finally(() => {
      this.running = undefined;
      if (this.isDueAgain) this.runNow();
    });
  }

  private async runAndLog(): Promise<void> {
    try {
      const message = await this.run(new Date());
      if (message !== undefined) this.logger.log(message);
    } catch (error) {
      if (!this.isClosed && !isConnectionError(error))
        this.logger.error(`cannot ${this.purpose}: ${String(error)}`);
    }
  }
}
