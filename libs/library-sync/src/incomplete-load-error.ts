import { LockLostError } from './library-store.js';

/** A load ended half-way. Running it again completes it. */
export class IncompleteLoadError extends Error {
  override readonly name = 'IncompleteLoadError';

  constructor(
    readonly done: number,
    readonly total: number,
    cause: Error,
  ) {
    const reason = cause instanceof LockLostError ? `the lock was lost (${cause.message})` : cause.message;
    super(
      `the load stopped after ${done} of ${total} changes: ${reason}; run the load again to complete it`,
      { cause },
    );
  }
}
