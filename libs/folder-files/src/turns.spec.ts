import { Turns } from './turns.js';

test('others get their turn while pieces of work are done one after the other', async () => {
  const turns = new Turns();
  let others = 0;
  const timer = setInterval(() => (others += 1), 1);
  const deadline = performance.now() + 10_000;
  while (others <= 10 && performance.now() < deadline) {
    if (turns.isOver) await turns.next();
  }
  clearInterval(timer);
  expect(others).toBeGreaterThan(10);
});

test('a turn is not over at once', () => {
  expect(new Turns().isOver).toBe(false);
});

test('an aborted signal ends the work at the next turn', async () => {
  const abort = new AbortController();
  const turns = new Turns(abort.signal);
  await turns.next();
  abort.abort();
  await expect(turns.next()).rejects.toThrow('aborted');
});
