import { ApiError } from './api-error.js';
import { mayRefetch, shouldRetry, retryDelay } from './retries.js';

const busy = (retryAfterMs?: number) =>
  new ApiError(503, 'busy', retryAfterMs === undefined ? {} : { retryAfterMs });

test('a busy registry is retried after Retry-After, at most twice', () => {
  expect([0, 1, 2].map((failures) => shouldRetry(failures, busy(3_000)))).toEqual([true, true, false]);
  expect([0, 1].map((failures) => retryDelay(failures, busy(3_000)))).toEqual([3_000, 3_000]);
});

test('without a usable Retry-After, waits get longer', () => {
  for (const error of [busy(), busy(0), new ApiError(0, 'away')]) {
    expect([0, 1].map((failures) => retryDelay(failures, error))).toEqual([500, 1_000]);
  }
});

test('long waits are reported, and refusals are not retried', () => {
  expect(shouldRetry(0, busy(60_000))).toBe(false);
  expect(shouldRetry(0, new ApiError(404, 'absent'))).toBe(false);
  expect(shouldRetry(0, new Error('a bug'))).toBe(false);
});

test('returning to the window refetches a failure only after Retry-After', () => {
  const state = { error: busy(60_000), errorUpdatedAt: 1_000 };
  expect([60_999, 61_000].map((now) => mayRefetch(state, now))).toEqual([false, true]);
  expect(mayRefetch({ error: null, errorUpdatedAt: 0 }, 0)).toBe(true);
});

test('a recent failure is not refetched immediately', () => {
  const state = { error: new ApiError(500, 'an error'), errorUpdatedAt: 1_000 };
  expect([1_001, 3_000].map((now) => mayRefetch(state, now))).toEqual([false, true]);
});
