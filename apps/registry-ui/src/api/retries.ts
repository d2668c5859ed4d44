import { ApiError } from './api-error.js';

const MAX_RETRIES = 2;
const FIRST_WAIT_MS = 500;

/** Who would have to wait longer is told so at once, and tries again by hand. */
const MAX_WAIT_MS = 10_000;

/** So long a failure counts as just told. */
const MIN_REFETCH_DELAY_MS = 2_000;

/** There was no answer, or the service was busy: the next attempt may fare better. */
const TRANSIENT_STATUSES: readonly number[] = [0, 429, 503];

/** Whether a read is asked for again by itself; what was refused is refused. */
export function shouldRetry(failures: number, error: Error): boolean {
  return (
    failures < MAX_RETRIES &&
    error instanceof ApiError &&
    TRANSIENT_STATUSES.includes(error.status) &&
    retryAfterMs(error) <= MAX_WAIT_MS
  );
}

/**
 * How long to wait before that: as long as the registry says, and longer each time.
 *
 * @param failures how often it has failed before this time
 * @returns milliseconds
 */
export function retryDelay(failures: number, error: Error): number {
  return Math.max(FIRST_WAIT_MS * 2 ** failures, retryAfterMs(error));
}

/** How long the registry says to wait after a failure; 0 when it says nothing. */
export function retryAfterMs(error: unknown): number {
  return error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0;
}

/**
 * Whether a read that failed may be asked for again by now: when somebody comes back to the window or the screen, but not
 * by a screen whose own first attempt it was.
 */
export function mayRefetch(
  { error, errorUpdatedAt }: { readonly error: unknown; readonly errorUpdatedAt: number },
  now: number,
): boolean {
  return error === null || now >= errorUpdatedAt + Math.max(retryAfterMs(error), MIN_REFETCH_DELAY_MS);
}
