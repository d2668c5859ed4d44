/** How long work may keep the event loop before others are served, in milliseconds. */
const SLICE_MS = 20;

/** Work that waits for its next slice, across all requests. */
const line: (() => void)[] = [];

/**
 * Cuts long synchronous work into slices, between which health probes and other requests are served. All such work of a
 * process stands in one line: each turn of the event loop has one slice, however many requests are under way.
 */
export class EventLoopYield {
  private sliceEnd = 0;

  /** To be awaited before each piece of the work; it waits when the slice is used up, and before the first piece. */
  async ifDue(): Promise<void> {
    if (performance.now() < this.sliceEnd) return;
    await new Promise<void>((resolve) => {
      line.push(resolve);
      if (line.length === 1) setImmediate(serveLine);
    });
    this.sliceEnd = performance.now() + SLICE_MS;
  }
}

/** An immediate that an immediate sets runs in the next turn of the loop. */
function serveLine(): void {
  line.shift()?.();
  if (line.length > 0) setImmediate(serveLine);
}
