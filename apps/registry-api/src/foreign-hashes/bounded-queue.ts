/** The limits of a queue. */
export interface QueueLimits {
  /** How many jobs run at a time. */
  readonly running: number;
  /** How many jobs wait. */
  readonly waiting: number;
  /** How many jobs of one owner run or wait. */
  readonly perOwner: number;
}

/** Runs a bounded number of jobs; rejects more than `perOwner` of one owner, and any when the queue is full. */
export class BoundedQueue {
  private running = 0;
  private readonly waiting: (() => void)[] = [];
  /** Jobs by owner, running or waiting. */
  private readonly owned = new Map<string, number>();

  constructor(private readonly limits: QueueLimits) {}

  /** Runs the job as soon as there is room. @returns undefined if the queue, or the owner's part of it, is full */
  add<Result>(owner: string, run: () => Promise<Result>): Promise<Result> | undefined {
    const owned = this.owned.get(owner) ?? 0;
    const { running, waiting, perOwner } = this.limits;
    if (owned >= perOwner) return undefined;
    if (this.running >= running && this.waiting.length >= waiting) return undefined;
    this.owned.set(owner, owned + 1);
    return this.turn()
      .then(run)
      .finally(() => this.leave(owner));
  }

  private async turn(): Promise<void> {
    if (this.running < this.limits.running) {
      this.running += 1;
      return;
    }
    await new Promise<void>((start) => this.waiting.push(start));
  }

  /** Passes the place on. */
  private leave(owner: string): void {
    const left = (this.owned.get(owner) ?? 1) - 1;
    if (left === 0) this.owned.delete(owner);
    else this.owned.set(owner, left);
    const next = this.waiting.shift();
    if (next) next();
    else this.running -= 1;
  }
}
