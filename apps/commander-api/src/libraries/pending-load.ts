import { setTimeout as sleep } from 'node:timers/promises';
import { watchDelay } from '@svc/library-sync';

export interface PendingLoadOptions {
  readonly load: () => Promise<unknown>;
  /** False for an error that a retry would only repeat. */
  readonly mayPass: (error: unknown) => boolean;
  readonly onRetry: (nextMs: number) => void;
  readonly signal: AbortSignal;
  /** The first pause is twice this; each failure doubles it, up to 32 times this. */
  readonly retryMs: number;
}

/** A requested load without a waiting caller: it stays pending until it succeeds. */
export class PendingLoad {
  private running: Promise<void> | undefined;
  private isPending = false;
  private wake = new AbortController();

  constructor(private readonly options: PendingLoadOptions) {}

  /** Loads in the background; a request during a load is followed by another load. */
  request(): void {
    this.isPending = true;
    this.wake.abort();
    this.running ??= this.run();
  }

  /** Resolves once no load is pending, or the signal has aborted. */
  async settled(): Promise<void> {
    await this.running;
  }

  private async run(): Promise<void> {
    const { load, mayPass, onRetry, signal, retryMs } = this.options;
    for (let failures = 0; this.isPending && !signal.aborted;) {
      this.isPending = false;
      this.wake = new AbortController();
      try {
        await load();
        failures = 0;
      } catch (error) {
        if (signal.aborted || !mayPass(error)) continue;
        this.isPending = true;
        failures += 1;
        const nextMs = watchDelay(retryMs, failures, 0.9 + Math.random() / 5);
        onRetry(nextMs);
        // Another request ends the pause: the error may be gone.
        await sleep(nextMs, undefined, { signal: AbortSignal.any([signal, this.wake.signal]) }).catch(
          () => undefined,
        );
      }
    }
    // Synchronously: a request after the last check of `isPending` must start a new run.
    this.running = undefined;
  }
}
