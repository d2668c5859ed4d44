import { setTimeout as sleep } from 'node:timers/promises';
import { watchDelay } from '@svc/library-sync';

export interface WantedLoadOptions {
  readonly load: () => Promise<unknown>;
  /** False for a failure that another try would meet again until someone changes something. */
  readonly mayPass: (error: unknown) => boolean;
  readonly onRetry: (nextMs: number) => void;
  readonly signal: AbortSignal;
  /** The first pause is twice as long; each failure doubles it, up to 32 times this. */
  readonly retryMs: number;
}

/** A load that was asked for and has no caller who waits: it stays wanted until it has succeeded. */
export class WantedLoad {
  private running: Promise<void> | undefined;
  private isWanted = false;
  private wake = new AbortController();

  constructor(private readonly options: WantedLoadOptions) {}

  /** Loads in the background; what is wanted during a load is followed by one more. */
  want(): void {
    this.isWanted = true;
    this.wake.abort();
    this.running ??= this.run();
  }

  /** @returns when nothing is wanted any more, or the signal has aborted */
  async settled(): Promise<void> {
    await this.running;
  }

  private async run(): Promise<void> {
    const { load, mayPass, onRetry, signal, retryMs } = this.options;
    for (let failures = 0; this.isWanted && !signal.aborted;) {
      this.isWanted = false;
      this.wake = new AbortController();
      try {
        await load();
        failures = 0;
      } catch (error) {
        if (signal.aborted || !mayPass(error)) continue;
        this.isWanted = true;
        failures += 1;
        const nextMs = watchDelay(retryMs, failures, 0.9 + Math.random() / 5);
        onRetry(nextMs);
        // Another request does not wait: what kept this one back may have passed.
        await sleep(nextMs, undefined, { signal: AbortSignal.any([signal, this.wake.signal]) }).catch(
          () => undefined,
        );
      }
    }
    // At once: a request after the last look at `isWanted` must start a run of its own.
    this.running = undefined;
  }
}
