import { activeCallers } from './active-callers.js';

/** How long work may block the event loop. A request takes several turns of it. */
const SLICE_MS = 5;

/** The same while several callers need the server: requests of one wait for slices of the others in every turn. */
const SHARED_SLICE_MS = 2;

/** Runs one task in each turn of the event loop. */
export class TaskPerTurn {
  /** The first one is about to run, or running. */
  private readonly tasks: (() => void)[] = [];

  add(task: () => void): void {
    this.tasks.push(task);
    if (this.tasks.length === 1) setImmediate(this.runNext);
  }

  /** An immediate set by an immediate runs in the next turn of the event loop. */
  private readonly runNext = (): void => {
    this.tasks[0]?.();
    this.tasks.shift();
    if (this.tasks.length > 0) setImmediate(this.runNext);
  };
}

/** Work of all requests, waiting for its next slice. */
const slices = new TaskPerTurn();

/**
 * Splits long synchronous work into slices, between which health probes and other requests are served. All such work shares one
 * queue, so each turn of the event loop runs one slice, however many requests are in flight.
 */
export class EventLoopYield {
  private sliceEnd = 0;

  /** Await this before each piece of work. It waits before the first piece, and whenever the slice is used up. */
  async ifDue(): Promise<void> {
    if (performance.now() < this.sliceEnd) return;
    await new Promise<void>((resolve) => slices.add(resolve));
    this.sliceEnd = performance.now() + (activeCallers.areSeveral ? SHARED_SLICE_MS : SLICE_MS);
  }
}
