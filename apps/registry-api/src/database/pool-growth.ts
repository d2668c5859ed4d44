import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';

/**
 * Lets a pool open one connection at a time, and requests take whichever connection is free first. By itself each request that finds
 * none opens its own and waits for it: on a busy server that takes longer than most statements, and many at once take its processors
 * from those.
 */
export class PoolGrowth {
  /** Called with true when a connection was released, and with false when none could be opened. */
  private readonly waiting: ((isFreed: boolean) => void)[] = [];
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
      const wake = error ? undefined : this.waiting.shift();
      if (!wake) return;
      this.reserved += 1;
      wake(true);
    });
  }

  /** The connection that is free first. */
  async connect(): Promise<PoolClient> {
    // What was freed may have gone to one that waits in the pool itself.
    for (let isFirst = true; this.mustWait; isFirst = false) {
      const freed = new Promise<boolean>((resolve) => this.waiting[isFirst ? 'push' : 'unshift'](resolve));
      if (!this.isOpening) void this.openForAll();
      if (!(await freed)) break;
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
    } catch {
      // They try themselves, and fail with the reason.
      for (const wake of this.waiting.splice(0)) wake(false);
    } finally {
      this.isOpening = false;
    }
  }
}
