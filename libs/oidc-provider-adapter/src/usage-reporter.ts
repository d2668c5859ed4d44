import { randomUUID } from 'node:crypto';
import { type ReportableUse, USAGE_INTERVAL_MS, type UsageBatch, UsageQueue } from '@svc/client-metadata';

/** `refused`: the registry will never count it. */
export type ReportOutcome = 'counted' | 'refused';

/** Rows that the registry takes at once. */
const MAX_ROWS_PER_BATCH = 200;

/** Reports how Clients are used, every ten seconds. What cannot be sent is sent again later, with the same batch id. */
export class UsageReporter {
  private readonly queue = new UsageQueue(randomUUID(), randomUUID, Date.now(), MAX_ROWS_PER_BATCH);
  private readonly timer: NodeJS.Timeout | undefined;
  private sending: Promise<void> | undefined;

  /** @param send throws when the registry cannot be reached at the moment */
  constructor(
    private readonly send: (batch: UsageBatch) => Promise<ReportOutcome>,
    private readonly isEnabled: boolean,
    intervalMs = USAGE_INTERVAL_MS,
  ) {
    if (isEnabled) this.timer = setInterval(() => void this.flush(), intervalMs).unref();
  }

  record(clientId: string, use: ReportableUse): void {
    if (!this.isEnabled) return;
    this.queue.record(clientId, use, Date.now());
    if (this.queue.isFilling) void this.flush();
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
    await this.flush();
    await this.sendAll(true);
  }

  private async sendAll(isFinal = false): Promise<void> {
    try {
      for (const batch of this.queue.batches(Date.now(), isFinal)) {
        await this.send(batch);
        this.queue.sent(batch);
      }
    } catch {
      // The same batches are sent next time. What is missing until then, the registry notices by itself.
    }
  }
}
