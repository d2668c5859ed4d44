import { setImmediate } from 'node:timers/promises';

const TURN_MS = 1;

/** For work that is done by synchronous calls: asked after each piece of it, this gives others their turn in time. */
export class Turns {
  private since = performance.now();

  /** @returns undefined while it is too early */
  next(): Promise<void> | undefined {
    if (performance.now() - this.since < TURN_MS) return undefined;
    return setImmediate().then(() => {
      this.since = performance.now();
    });
  }
}
