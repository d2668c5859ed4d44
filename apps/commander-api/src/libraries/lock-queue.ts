/** So many wait; who comes after them is refused at once. */
const MAX_WAITING = 200;

/** Lets one at a time in, in the order of arrival. Waiting costs no more than a timer. */
export class LockQueue {
  private readonly waiting = new Set<() => void>();
  private isTaken = false;

  /**
   * @returns what ends the turn, to be called once; undefined when the turn did not come in time, or too many wait
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

  /** @returns false when time was up first */
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
        waitMs,
      );
      signal?.addEventListener('abort', onAbort);
      this.waiting.add(onTurn);
    });
  }

  /** The turn passes without a gap in which a newcomer could take it. */
  private leave(): void {
    const [next] = this.waiting;
    if (next) next();
    else this.isTaken = false;
  }
}
