/** Waited longer for a place than allowed. */
export class SemaphoreTimeoutError extends Error {
  override readonly name = 'SemaphoreTimeoutError';
}

/** How a semaphore limits tasks. */
export interface SemaphoreLimits {
  /** How many run at a time, at present. */
  readonly all: () => number;
  /** How many of one owner, at present; as many as of all when absent. Tasks without an owner have no such limit. */
  readonly ofOwner?: () => number;
  /** How long a task may wait; without a limit when absent. */
  readonly waitMs?: number;
}

/** Limits how many tasks run at a time. The others wait: those of one owner in order, and owners take turns. */
export class Semaphore {
  private taken = 0;
  private readonly takenBy = new Map<string, number>();
  /** By owner; the next one is first. */
  private readonly waiting = new Map<string, Set<() => void>>();

  constructor(private readonly limits: SemaphoreLimits) {}

  /** @throws {SemaphoreTimeoutError} */
  async run<T>(work: () => Promise<T>, owner = ''): Promise<T> {
    if (!this.waiting.has(owner) && this.mayRun(owner)) this.count(owner, 1);
    else await this.placed(owner);
    try {
      return await work();
    } finally {
      this.count(owner, -1);
      this.admit();
    }
  }

  private mayRun(owner: string): boolean {
    if (this.taken >= this.limits.all()) return false;
    const ofOwner = owner === '' ? undefined : this.limits.ofOwner?.();
    return ofOwner === undefined || (this.takenBy.get(owner) ?? 0) < ofOwner;
  }

  private count(owner: string, change: 1 | -1): void {
    this.taken += change;
    const count = (this.takenBy.get(owner) ?? 0) + change;
    if (count === 0) this.takenBy.delete(owner);
    else this.takenBy.set(owner, count);
  }

  /** Admits waiting tasks of owners that may run one more. */
  private admit(): void {
    for (const [owner, [enter]] of this.waiting) {
      if (!this.mayRun(owner)) continue;
      this.count(owner, 1);
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

  private async placed(owner: string): Promise<void> {
    const tasks = this.waiting.get(owner) ?? new Set();
    this.waiting.set(owner, tasks);
    const leave = (task: () => void) => {
      tasks.delete(task);
      if (tasks.size === 0) this.waiting.delete(owner);
    };
    const placed = new Promise<void>((resolve, reject) => {
      const enter = () => {
        leave(enter);
        clearTimeout(timer);
        resolve();
      };
      tasks.add(enter);
      const timer =
        this.limits.waitMs === undefined
          ? undefined
          : setTimeout(() => {
              leave(enter);
              reject(new SemaphoreTimeoutError('all places stayed taken'));
            }, this.limits.waitMs);
    });
    // The limits may have risen.
    this.admit();
    return placed;
  }
}
