import {
  LockLostError,
  OutcomeUnknownError,
  StoreUnreachableError,
  WriteConflictError,
} from './ports/library-store.js';

/** A load stopped part-way. The message says whether retrying can complete it. */
export class IncompleteLoadError extends Error {
  override readonly name = 'IncompleteLoadError';

  constructor(
    readonly done: number,
    readonly total: number,
    cause: Error,
  ) {
    super(`the load ${describe(cause, `after ${done} of ${total} changes`)}${remedyFor(cause)}`, { cause });
  }
}

function describe(cause: Error, place: string): string {
  if (isAbort(cause)) return `was interrupted ${place}`;
  const reason = cause instanceof LockLostError ? `the lock was lost (${cause.message})` : cause.message;
  return `stopped ${place}: ${reason}`;
}

const REPEAT = '; run the load again';
const MENDABLE = [LockLostError, OutcomeUnknownError, StoreUnreachableError, WriteConflictError];

function remedyFor(cause: Error): string {
  if (cause.message.endsWith(REPEAT)) return ' to complete it';
  const canBeMended = isAbort(cause) || MENDABLE.some((kind) => cause instanceof kind);
  return canBeMended ? `${REPEAT} to complete it` : '';
}

function isAbort({ name }: Error): boolean {
  return name === 'AbortError';
}

/** One of the loader's own nodes cannot be parsed: another program, or a later version, wrote it. */
export class UnreadableStateError extends Error {
  override readonly name = 'UnreadableStateError';

  /** @param node its name in the store */
  static damaged(node: string, reason: string, cause?: unknown): UnreadableStateError {
    return new UnreadableStateError(
      `${node} is damaged (${reason}); remove it, and the next load runs as if it had never existed`,
      { cause },
    );
  }

  /** @param node its name in the store */
  static later(node: string): UnreadableStateError {
    return new UnreadableStateError(`${node} was written by a newer svccmd; use that version or a later one`);
  }
}

/** Another load finished, or was interrupted, after the load to restore was chosen: the choice may no longer be what was meant. */
export class OvertakenError extends Error {
  override readonly name = 'OvertakenError';

  constructor(what: string) {
    super(
      `${what} since the load to restore was chosen, and nothing was written; see svccmd library history, and choose again`,
    );
  }
}

/** A rollback has still to be completed, and the source is at the revision that it undoes: `ifChanged` must not load that. */
export class InterruptedRollbackError extends Error {
  override readonly name = 'InterruptedRollbackError';

  /** @param command completes it */
  constructor(load: number, what: string, command: string) {
    super(
      `load ${load}, ${what}, was interrupted, and the source is still at the revision that was rolled back; nothing was written; run ${command} to complete it, or load that revision without --if-changed (?if_changed over HTTP)`,
    );
  }
}
