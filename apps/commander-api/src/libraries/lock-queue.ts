import { MAX_TIMER_MS } from '@svc/foundation';

/** Maximum queue length; further callers are rejected immediately. */
const MAX_WAITING = 200;

/** Admits one caller at a time, in order of arrival. Waiting costs only a timer. */
export class LockQueue {
  private readonly waiting = new Set<() => void>();
  private isTaken = false;

  /**
   * @returns a function that ends the turn; undefined if the turn did not come in time, or the queue is full
   * @throws the signal's reason
   */
  async enter(waitMs: number, signal?: AbortSignal): Promise<(() => void) | undefined> {
    signal?.throwIfAborted();
    if (this.isTaken) {
      const isAdmitted = this.waiting.size < MAX_WAITING && (await this.takeTurn(waitMs, signal));
      if (!isAdmitted) return undefined;
    }
    this.isTaken = true;
    return () => this.leave();
  }

  /** @returns false after a timeout */
  private async takeTurn(waitMs: number, signal: AbortSignal | undefined): Promise<boolean> {
    return new Promise<boolean>((resolve, reject) => {
      const end = (settle: () => void) => (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        this.waiting.delete(onTurn);
        settle();
      };
      const onTurn = end(() => resolve(true));
      const onAbort = end(() => reject(signal!.reason as Error));
      const timer = setTimeout(
        end(() => resolve(false)),
        Math.min(waitMs, MAX_TIMER_MS),
      );
      signal?.addEventListener('abort', onAbort);
      this.waiting.add(onTurn);
    });
  }

  /** Passes the turn on directly, so that a newcomer cannot take it. */
  private leave(): void {
    const [next] = this.waiting;
    if (next) next();
    else this.isTaken = false;
  }
}
