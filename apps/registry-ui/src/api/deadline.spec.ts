import { jest } from '@jest/globals';
import { withDeadline } from './deadline.js';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test('a deadline aborts after its time, not before', () => {
  const signal = withDeadline(1_000);
  jest.advanceTimersByTime(999);
  expect(signal.aborted).toBe(false);
  jest.advanceTimersByTime(1);
  expect(signal.aborted).toBe(true);
});

test('a deadline aborts with the signal of the caller, even one that was aborted before', () => {
  const caller = new AbortController();
  const signal = withDeadline(1_000, caller.signal);
  caller.abort();
  expect(signal.aborted).toBe(true);
  expect(withDeadline(1_000, caller.signal).aborted).toBe(true);
});

test('no deadline is as long as a timer can be', () => {
  const signal = withDeadline(Infinity);
  jest.advanceTimersByTime(24 * 60 * 60_000);
  expect(signal.aborted).toBe(false);
});
