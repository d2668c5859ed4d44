/** How long work may block the event loop. A request takes several turns of it. */
const SLICE_MS = 5;

/** Work of all requests that waits for its next slice. */
const queue: (() => void)[] = [];

/**
 * Splits long synchronous work into slices, between which health probes and other requests are served. All such work shares one
 * queue, so each turn of the event loop runs one slice, however many requests are in flight.
 */
export class EventLoopYield {
  private sliceEnd = 0;

  /** Await this before each piece of work. It waits before the first piece, and whenever the slice is used up. */
  async ifDue(): Promise<void> {
    if (performance.now() < this.sliceEnd) return;
    await new Promise<void>((resolve) => {
      queue.push(resolve);
      if (queue.length === 1) setImmediate(runNext);
    });
    this.sliceEnd = performance.now() + SLICE_MS;
  }
}

/** An immediate set by an immediate runs in the next turn of the event loop. */
function runNext(): void {
  queue.shift()?.();
  if (queue.length > 0) setImmediate(runNext);
}
