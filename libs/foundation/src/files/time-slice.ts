import { setImmediate } from 'node:timers/promises';

const TURN_MS = 1;

/** Lets long synchronous work yield to the event loop: check it after each step. */
export class TimeSlice {
  private since = performance.now();

  /** @param signal aborts the work: `next` throws its reason */
  constructor(private readonly signal?: AbortSignal) {}

  /** False most of the time; always awaiting would take longer than the work itself. */
  get isUsedUp(): boolean {
    return performance.now() - this.since >= TURN_MS;
  }

  async next(): Promise<void> {
    await setImmediate();
    this.signal?.throwIfAborted();
    this.since = performance.now();
  }
}
