import { setImmediate } from 'node:timers/promises';

const TURN_MS = 1;

/** For work that is done by synchronous calls: asked after each piece of it, this gives others their turn in time. */
export class TimeSlice {
  private since = performance.now();

  /** @param signal ends the work: `next` throws its reason */
  constructor(private readonly signal?: AbortSignal) {}

  /** False most of the time; to wait all the same would take longer than to look at a file. */
  get isUsedUp(): boolean {
    return performance.now() - this.since >= TURN_MS;
  }

  async next(): Promise<void> {
    await setImmediate();
    this.signal?.throwIfAborted();
    this.since = performance.now();
  }
}
