import { ApiError } from './api-error.js';

const MAX_RETRIES = 2;
const FIRST_WAIT_MS = 500;

/** Who would have to wait longer is told so at once, and tries again by hand. */
const LONGEST_WAIT_MS = 10_000;

/** So long a failure counts as just told. */
const REST_MS = 2_000;

/** There was no answer, or the service was busy: the next attempt may fare better. */
const PASSING: readonly number[] = [0, 429, 503];

/** Whether a read is asked for again by itself; what was refused is refused. */
export function isRetried(failures: number, error: Error): boolean {
  return (
    failures < MAX_RETRIES &&
    error instanceof ApiError &&
    PASSING.includes(error.status) &&
    toldToWait(error) <= LONGEST_WAIT_MS
  );
}

/**
 * How long to wait before that: as long as the registry says, and longer each time.
 *
 * @param failures how often it has failed before this time
 * @returns milliseconds
 */
export function waitBeforeRetry(failures: number, error: Error): number {
  return Math.max(FIRST_WAIT_MS * 2 ** failures, toldToWait(error));
}

/** How long the registry says to wait after a failure; 0 when it says nothing. */
export function toldToWait(error: unknown): number {
  return error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0;
}

/**
 * Whether a read that failed may be asked for again by now: when somebody comes back to the window or the screen, but not
 * by a screen whose own first attempt it was.
 */
export function hasWaited(
  { error, errorUpdatedAt }: { readonly error: unknown; readonly errorUpdatedAt: number },
  now: number,
): boolean {
  return error === null || now >= errorUpdatedAt + Math.max(toldToWait(error), REST_MS);
}
