import { randomUUID } from 'node:crypto';
import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { type ClientUse, USAGE_INTERVAL_MS, UsageQueue } from '@svc/client-metadata';
import type { StoredClient } from '../clients/stored-client.js';
import { isConnectionError } from '../database/database-errors.js';
import { RegistryMetrics } from '../metrics/registry-metrics.js';
import { UsagePolicy } from '../settings/registry-settings.js';
import { UsageStore } from './usage.store.js';

/**
 * For each written row, writing pauses this long, up to `MAX_INTERVAL_MS`: if very many Clients are each checked from time to
 * time, a row costs less per check the more checks it counts.
 */
const PAUSE_PER_ROW_MS = 2;

/** While the database can be reached, a killed process loses at most the counts of this time and the write in progress. */
const MAX_INTERVAL_MS = 60_000;

/** Twice as many as are written before the interval is over. */
const MAX_ROWS_WAITING = 200_000;

/** How often a process without checks reports that there were none. */
const IDLE_INTERVAL_MS = 60_000;

/** Records how Clients are used, off the path of the checks: counts are written together. */
@Injectable()
export class UsageRecorder implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger(UsageRecorder.name);
  private readonly queue = new UsageQueue(randomUUID(), randomUUID, Date.now(), {
    rows: MAX_ROWS_WAITING,
  });
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> | undefined;
  /** By the monotonic clock, as are the next two. */
  private writtenAt = performance.now();
  private pausedUntil = 0;
  /** After a failure not even a filling queue is written at once, or each check would try. */
  private retryAt = 0;

  constructor(
    private readonly store: UsageStore,
    private readonly policy: UsagePolicy,
    private readonly metrics: RegistryMetrics,
  ) {}

  onModuleInit(): void {
    if (!this.policy.isRecorded) return;
    this.timer = setInterval(() => this.flushIfDue(), USAGE_INTERVAL_MS).unref();
    this.metrics.watch(
      'usage_rows_waiting',
      'Counts of uses that wait to be written.',
      () => this.queue.rows,
    );
    this.metrics.watch(
      'usage_unwritten_seconds',
      'Age of the oldest uses that are counted but not yet written: what a process loses if it is killed.',
      () => (Date.now() - (this.queue.waitingSince ?? Date.now())) / 1_000,
    );
  }

  /** Requests are answered until then. */
  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    if (!this.policy.isRecorded) return;
    await this.writing;
    // First the batches that could not be written before, then the last interval.
    await this.write();
    await this.write(true);
  }

  record({ clientId, createdAt }: Pick<StoredClient, 'clientId' | 'createdAt'>, use: ClientUse): void {
    if (!this.policy.isRecorded) return;
    if (!this.queue.record(clientId, use, Date.now(), createdAt.getTime())) this.metrics.countUsageDropped();
    if (this.queue.isFilling && performance.now() >= this.retryAt) void this.flush();
  }

  /** Writes the counts before the interval is over. */
  async flush(): Promise<void> {
    this.writing ??= this.write().finally(() => (this.writing = undefined));
    await this.writing;
  }

  private flushIfDue(): void {
    const isIdle = this.queue.rows === 0 && performance.now() - this.writtenAt < IDLE_INTERVAL_MS;
    if (!isIdle && performance.now() >= this.pausedUntil) void this.flush();
  }

  private async write(isFinal = false): Promise<void> {
    const startedAt = performance.now();
    let written = 0;
    try {
      for (const batch of this.queue.batches(Date.now(), isFinal)) {
        await this.store.addOwn(batch);
        this.queue.sent(batch);
        this.metrics.countUsageWritten(batch.rows.length);
        written += batch.rows.length;
      }
      this.writtenAt = performance.now();
      this.pausedUntil = startedAt + pauseAfter(written);
    } catch (error) {
      this.retryAt = performance.now() + USAGE_INTERVAL_MS;
      // The same batches are retried next time; the pool logs outages.
      if (!isConnectionError(error)) this.logger.error(`cannot write usage counts: ${String(error)}`);
    }
  }
}

/** Half of the timer's interval less than the maximum, since the timer is not exact. */
function pauseAfter(rows: number): number {
  return Math.min(rows * PAUSE_PER_ROW_MS, MAX_INTERVAL_MS - USAGE_INTERVAL_MS / 2);
}
