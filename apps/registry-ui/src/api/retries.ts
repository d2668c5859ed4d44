import { ApiError } from './api-error.js';

const MAX_RETRIES = 2;
const FIRST_WAIT_MS = 500;

/** Longer waits are reported to the user, who can retry. */
const MAX_WAIT_MS = 10_000;

/** A failure this recent is not repeated by remounting a screen. */
const MIN_REFETCH_DELAY_MS = 2_000;

/** No response, or a busy service: a later attempt may succeed. */
const TRANSIENT_STATUSES: readonly number[] = [0, 429, 503];

/** Whether a read is retried automatically. */
export function shouldRetry(failures: number, error: Error): boolean {
  return (
    failures < MAX_RETRIES &&
    error instanceof ApiError &&
    TRANSIENT_STATUSES.includes(error.status) &&
    retryAfterMs(error) <= MAX_WAIT_MS
  );
}

/**
 * How long to wait before a retry: at least as long as the registry asks, and longer each time.
 *
 * @param failures previous failures
 * @returns milliseconds
 */
export function retryDelay(failures: number, error: Error): number {
  return Math.max(FIRST_WAIT_MS * 2 ** failures, retryAfterMs(error));
}

/** How long the registry asks to wait after a failure; 0 if it does not say. */
export function retryAfterMs(error: unknown): number {
  return error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0;
}

/**
 * Whether a failed read may be repeated now, when the user returns to the window or screen. The screen that made the
 * failed attempt does not repeat it by mounting.
 */
export function mayRefetch(
  { error, errorUpdatedAt }: { readonly error: unknown; readonly errorUpdatedAt: number },
  now: number,
): boolean {
  return error === null || now >= errorUpdatedAt + Math.max(retryAfterMs(error), MIN_REFETCH_DELAY_MS);
}
