/** Waited longer for a place than allowed. */
export class SemaphoreTimeoutError extends Error {
  override readonly name = 'SemaphoreTimeoutError';
}

/** Limits how many tasks run at a time. The others wait: those of one owner in order, and owners take turns. */
export class Semaphore {
  private taken = 0;
  /** By owner; the next one is first. */
  private readonly waiting = new Map<string, Set<() => void>>();

  /** @param limit how many at present @param waitMs how long a task may wait; without a limit when absent */
  constructor(
    private readonly limit: () => number,
    private readonly waitMs?: number,
  ) {}

  /** @throws {SemaphoreTimeoutError} */
  async run<T>(work: () => Promise<T>, owner = ''): Promise<T> {
    if (this.taken < this.limit()) this.taken += 1;
    else await this.place(owner);
    try {
      return await work();
    } finally {
      this.taken -= 1;
      this.admit();
    }
  }

  private admit(): void {
    while (this.taken < this.limit()) {
      const [first] = this.waiting;
      if (!first) return;
      const [owner, [enter]] = first;
      this.taken += 1;
      enter?.();
      this.moveBack(owner);
    }
  }

  /** After its turn, an owner waits behind all others. */
  private moveBack(owner: string): void {
    const tasks = this.waiting.get(owner);
    if (!tasks) return;
    this.waiting.delete(owner);
    this.waiting.set(owner, tasks);
  }

  private async place(owner: string): Promise<void> {
    const tasks = this.waiting.get(owner) ?? new Set();
    this.waiting.set(owner, tasks);
    const leave = (task: () => void) => {
      tasks.delete(task);
      if (tasks.size === 0) this.waiting.delete(owner);
    };
    return new Promise((resolve, reject) => {
      const enter = () => {
        leave(enter);
        clearTimeout(timer);
        resolve();
      };
      tasks.add(enter);
      const timer =
        this.waitMs === undefined
          ? undefined
          : setTimeout(() => {
              leave(enter);
              reject(new SemaphoreTimeoutError('all places stayed taken'));
            }, this.waitMs);
    });
  }
}
