import { TimeSlice } from './time-slice.js';

test('yields to the event loop between steps of work', async () => {
  const turns = new TimeSlice();
  let others = 0;
  const timer = setInterval(() => (others += 1), 1);
  const deadline = performance.now() + 10_000;
  while (others <= 10 && performance.now() < deadline) {
    if (turns.isUsedUp) await turns.next();
  }
  clearInterval(timer);
  expect(others).toBeGreaterThan(10);
});

test('a time slice is not used up at once', () => {
  expect(new TimeSlice().isUsedUp).toBe(false);
});

test('an aborted signal stops the work at the next yield', async () => {
  const abort = new AbortController();
  const turns = new TimeSlice(abort.signal);
  await turns.next();
  abort.abort();
  await expect(turns.next()).rejects.toThrow('aborted');
});
