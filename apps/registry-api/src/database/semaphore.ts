/** Waited longer for a place than allowed. */
export class SemaphoreTimeoutError extends Error {
  override readonly name = 'SemaphoreTimeoutError';
}

/** Limits how many tasks run at a time; the others wait in order. */
export class Semaphore {
  private taken = 0;
  private readonly waiting = new Set<() => void>();

  /** @param limit how many at present @param waitMs how long a task may wait; without a limit when absent */
  constructor(
    private readonly limit: () => number,
    private readonly waitMs?: number,
  ) {}

  /** @throws {SemaphoreTimeoutError} */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.taken < this.limit()) this.taken += 1;
    else await this.place();
    try {
      return await work();
    } finally {
      this.taken -= 1;
      this.admit();
    }
  }

  private admit(): void {
    while (this.taken < this.limit()) {
      const [next] = this.waiting;
      if (!next) return;
      this.taken += 1;
      next();
    }
  }

  private async place(): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = () => {
        this.waiting.delete(enter);
        clearTimeout(timer);
        resolve();
      };
      this.waiting.add(enter);
      const timer =
        this.waitMs === undefined
          ? undefined
          : setTimeout(() => {
              this.waiting.delete(enter);
              reject(new SemaphoreTimeoutError('all places stayed taken'));
            }, this.waitMs);
    });
  }
}
