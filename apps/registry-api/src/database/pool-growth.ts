import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';

interface Waiting {
  /** A connection was released. */
  readonly freed: () => void;
  /** None could be opened, or none was free in time. */
  readonly failed: (reason: unknown) => void;
}

/** Also the message of pg's own pool to requests that wait in it. */
export const EXHAUSTED = 'timeout exceeded when trying to connect';

/**
 * Lets a pool open one connection at a time, and requests take whichever connection is free first. By default, each request
 * that finds none opens its own and waits for it: on a busy server that takes longer than most statements, and many at once
 * compete with them for processors. Requests wait here, not in the pool: none waits in both, twice as long as allowed.
 */
export class PoolGrowth {
  private readonly waiting: Waiting[] = [];
  /** Connections that were released for requests which are about to take them. */
  private reserved = 0;
  private isOpening = false;

  /** @param take takes a connection from the pool, which opens one if none is idle */
  constructor(
    private readonly pool: Pool,
    private readonly take: () => Promise<PoolClient>,
  ) {
    // Right after this event the connection is idle, or closed.
    pool.on('release', (error: Error | boolean | undefined) => {
      if (error) {
        setImmediate(() => this.grow());
        return;
      }
      const next = this.waiting.shift();
      if (!next) return;
      this.reserved += 1;
      next.freed();
    });
  }

  /** Those that do not wait in the pool itself. */
  get waitingRequests(): number {
    return this.waiting.length;
  }

  /**
   * The connection that is free first.
   *
   * @throws {Error} when none can be opened, or none is free within the pool's `connectionTimeoutMillis`
   */
  async connect(): Promise<PoolClient> {
    const begunAt = performance.now();
    // What was freed may have been taken, or closed.
    for (let isFirst = true; this.mustWait; isFirst = false) {
      const whenFreed = this.whenFreed(begunAt, isFirst);
      this.grow();
      await whenFreed;
      this.reserved -= 1;
    }
    try {
      return await this.take();
    } catch (error) {
      // Others may wait for the connection that could not be opened.
      this.grow();
      throw error;
    }
  }

  private get mustWait(): boolean {
    const { totalCount, idleCount, waitingCount } = this.pool;
    return totalCount > 0 && idleCount - waitingCount - this.reserved <= 0;
  }

  private async whenFreed(begunAt: number, isFirst: boolean): Promise<void> {
    const timeoutMs = this.pool.options.connectionTimeoutMillis;
    let timer: NodeJS.Timeout | undefined;
    try {
      await new Promise<void>((freed, failed) => {
        const waiting = { freed, failed };
        this.waiting[isFirst ? 'push' : 'unshift'](waiting);
        if (!timeoutMs) return;
        timer = setTimeout(
          () => {
            this.waiting.splice(this.waiting.indexOf(waiting), 1);
            failed(new Error(EXHAUSTED));
          },
          begunAt + timeoutMs - performance.now(),
        );
      });
    } finally {
      clearTimeout(timer);
    }
  }

  private grow(): void {
    if (!this.isOpening) void this.openForAll();
  }

  private async openForAll(): Promise<void> {
    this.isOpening = true;
    try {
      while (this.waiting.length > 0 && this.pool.totalCount < this.pool.options.max) {
        (await this.take()).release();
        // Lets a request take it first; otherwise this would take it again, rather than open one more.
        await nextTurn();
      }
    } catch (reason) {
      for (const { failed } of this.waiting.splice(0)) failed(reason);
    } finally {
      this.isOpening = false;
    }
  }
}
