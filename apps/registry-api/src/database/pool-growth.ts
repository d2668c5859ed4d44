import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';

interface Waiting {
  /** A connection was released. */
  readonly freed: () => void;
  /** None could be opened. */
  readonly failed: (reason: unknown) => void;
}

/**
 * Lets a pool open one connection at a time, and requests take whichever connection is free first. By itself each request that finds
 * none opens its own and waits for it: on a busy server that takes longer than most statements, and many at once take its processors
 * from those.
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
    // Right after this event the connection is idle.
    pool.on('release', (error: Error | boolean | undefined) => {
      const next = error ? undefined : this.waiting.shift();
      if (!next) return;
      this.reserved += 1;
      next.freed();
    });
  }

  /** Those that do not wait in the pool itself. */
  get waitingRequests(): number {
    return this.waiting.length;
  }

  /** The connection that is free first. */
  async connect(): Promise<PoolClient> {
    // What was freed may have gone to one that waits in the pool itself.
    for (let isFirst = true; this.mustWait; isFirst = false) {
      const whenFreed = new Promise<void>((freed, failed) =>
        this.waiting[isFirst ? 'push' : 'unshift']({ freed, failed }),
      );
      if (!this.isOpening) void this.openForAll();
      await whenFreed;
      this.reserved -= 1;
    }
    return this.take();
  }

  private get mustWait(): boolean {
    const { totalCount, idleCount, waitingCount, options } = this.pool;
    const free = idleCount - waitingCount - this.reserved;
    return totalCount > 0 && free <= 0 && totalCount < options.max;
  }

  private async openForAll(): Promise<void> {
    this.isOpening = true;
    try {
      while (this.waiting.length > 0) {
        (await this.take()).release();
        // Until it was taken: this would take it again, rather than open one more.
        await nextTurn();
      }
    } catch (reason) {
      for (const { failed } of this.waiting.splice(0)) failed(reason);
    } finally {
      this.isOpening = false;
    }
  }
}
