import { withDeadline } from './deadline.js';

test('a deadline aborts by itself', async () => {
  const signal = withDeadline(20);
  expect(signal.aborted).toBe(false);
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
});

test('a deadline aborts with the signal of the caller, even one that was aborted before', () => {
  const caller = new AbortController();
  const signal = withDeadline(60_000, caller.signal);
  caller.abort();
  expect(signal.aborted).toBe(true);
  expect(withDeadline(60_000, caller.signal).aborted).toBe(true);
});

test('an infinite deadline never expires', async () => {
  const signal = withDeadline(Infinity);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(signal.aborted).toBe(false);
});
