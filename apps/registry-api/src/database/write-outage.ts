import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { DatabaseUnavailableError, isConnectionError } from './database-errors.js';
import { Outage } from './outage.js';

/** Between attempts to write while writes fail. */
const PROBE_MS = 500;

/** A record in the write-ahead log that is never read; its commit waits for synchronous standbys, as those of writes do. */
const PROBE_WRITE = `SELECT pg_logical_emit_message(true, 'svc-registry', '')`;

/** Notices that writes fail although the server answers, and when they succeed again. */
export class WriteOutage {
  private readonly outage: Outage;

  constructor(
    private readonly pool: Pool,
    logger: Logger,
  ) {
    const texts = {
      began: 'database writes are failing',
      ended: 'database writes succeed again',
    };
    this.outage = new Outage(texts, logger);
  }

  get isOngoing(): boolean {
    return this.outage.isOngoing;
  }

  /** Runs work that writes. */
  async watch<T>(work: () => Promise<T>): Promise<T> {
    const begunAt = performance.now();
    try {
      return await work();
    } catch (error) {
      if (isConnectionError(error) && !(error instanceof DatabaseUnavailableError))
        this.failed(error, begunAt);
      throw error;
    }
  }

  private failed(error: unknown, begunAt: number): void {
    const wasOngoing = this.isOngoing;
    this.outage.failed(error, begunAt);
    if (!wasOngoing && this.isOngoing) void this.probeUntilWritable();
  }

  private async probeUntilWritable(): Promise<void> {
    while (!this.pool.ending) {
      try {
        await this.pool.query(PROBE_WRITE);
        break;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, PROBE_MS).unref());
      }
    }
    this.outage.succeeded();
  }
}
