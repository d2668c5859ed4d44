import { randomUUID } from 'node:crypto';
import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { type ClientUse, USAGE_INTERVAL_MS, UsageQueue } from '@svc/client-metadata';
import { isConnectionError } from '../database/database-errors.js';
import { RegistryMetrics } from '../metrics/registry-metrics.js';
import { UsagePolicy } from '../settings/registry-settings.js';
import { UsageStore } from './usage.store.js';

/** How often a process without checks reports that there were none. */
const IDLE_INTERVAL_MS = 60_000;

/** Records how Clients are used, off the path of the checks: counts are written together. */
@Injectable()
export class UsageRecorder implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(UsageRecorder.name);
  private readonly queue = new UsageQueue(randomUUID(), randomUUID, Date.now());
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> | undefined;
  private writtenAt = Date.now();

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
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    if (!this.policy.isRecorded) return;
    await this.writing;
    // What could not be written before comes first, then the last interval.
    await this.write();
    await this.write(true);
  }

  record(clientId: string, use: ClientUse): void {
    if (!this.policy.isRecorded) return;
    if (!this.queue.record(clientId, use, Date.now())) this.metrics.countUsageDropped();
    if (this.queue.isFilling) void this.flush();
  }

  /** Writes what was counted before the interval is over. */
  async flush(): Promise<void> {
    this.writing ??= this.write().finally(() => (this.writing = undefined));
    await this.writing;
  }

  private flushIfDue(): void {
    const isIdle = this.queue.rows === 0 && Date.now() - this.writtenAt < IDLE_INTERVAL_MS;
    if (!isIdle) void this.flush();
  }

  private async write(isFinal = false): Promise<void> {
    try {
      for (const batch of this.queue.batches(Date.now(), isFinal)) {
        await this.store.addOwn(batch);
        this.queue.sent(batch);
        this.metrics.countUsageWritten(batch.rows.length);
      }
      this.writtenAt = Date.now();
    } catch (error) {
      // The same batches are written next time; the pool logs an outage.
      if (!isConnectionError(error)) this.logger.error(`cannot write how Clients are used: ${String(error)}`);
    }
  }
}
