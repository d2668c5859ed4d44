import { randomUUID } from 'node:crypto';
import { type ReportableUse, USAGE_INTERVAL_MS, type UsageBatch, UsageQueue } from '@svc/client-metadata';

/** `refused`: the registry will never count it. */
export type ReportOutcome = 'counted' | 'refused';

/** Rows that the registry takes at once. */
const MAX_ROWS_PER_BATCH = 200;

/** Reports how Clients are used, every ten seconds. What cannot be sent is sent again later, with the same batch id. */
export class UsageReporter {
  private readonly queue = new UsageQueue(randomUUID(), randomUUID, Date.now(), {
    rowsPerBatch: MAX_ROWS_PER_BATCH,
  });
  private readonly timer: NodeJS.Timeout | undefined;
  private sending: Promise<void> | undefined;
  /** By the monotonic clock. After a failure not even a filling queue is sent at once, or each use would try. */
  private retryAt = 0;

  /** @param send throws when the registry cannot be reached at the moment */
  constructor(
    private readonly send: (batch: UsageBatch) => Promise<ReportOutcome>,
    private readonly isEnabled: boolean,
    private readonly intervalMs = USAGE_INTERVAL_MS,
  ) {
    if (isEnabled) this.timer = setInterval(() => void this.flush(), intervalMs).unref();
  }

  /** @param createdAt when the Client was registered */
  record(clientId: string, use: ReportableUse, createdAt?: number): void {
    if (!this.isEnabled) return;
    this.queue.record(clientId, use, Date.now(), createdAt);
    if (this.queue.isFilling && performance.now() >= this.retryAt) void this.flush();
  }

  /** Sends what was counted before the interval is over. */
  async flush(): Promise<void> {
    this.sending ??= this.sendAll().finally(() => (this.sending = undefined));
    await this.sending;
  }

  /** Sends the rest, as far as the registry can be reached. */
  async close(): Promise<void> {
    clearInterval(this.timer);
    if (!this.isEnabled) return;
    await this.sending;
    // First the batches that could not be sent before, then the last interval.
    await this.sendAll();
    await this.sendAll(true);
  }

  private async sendAll(isFinal = false): Promise<void> {
    try {
      for (const batch of this.queue.batches(Date.now(), isFinal)) {
        await this.send(batch);
        this.queue.sent(batch);
      }
    } catch {
      this.retryAt = performance.now() + this.intervalMs;
      // The same batches are sent next time. What is missing until then, the registry notices by itself.
    }
  }
}
