import { LockQueue } from './lock-queue.js';

const LONG = 60_000;

test('callers are admitted one at a time, in order of arrival', async () => {
  const queue = new LockQueue();
  const order: number[] = [];
  let inside = 0;
  await Promise.all(
    Array.from({ length: 80 }, async (_, index) => {
      const leave = (await queue.enter(LONG))!;
      inside += 1;
      expect(inside).toBe(1);
      order.push(index);
      await new Promise((resolve) => setImmediate(resolve));
      inside -= 1;
      leave();
    }),
  );
  expect(order).toEqual(Array.from({ length: 80 }, (_, index) => index));
});

test('a waiter that times out or is aborted passes its turn to the next', async () => {
  const queue = new LockQueue();
  const abort = new AbortController();
  const leave = (await queue.enter(LONG))!;
  const aborted = queue.enter(LONG, abort.signal);
  const late = queue.enter(1);
  const next = queue.enter(LONG);
  expect(await late).toBeUndefined();
  abort.abort(new Error('the server ends'));
  leave();
  await expect(aborted).rejects.toThrow('the server ends');
  (await next)!();
  await expect(queue.enter(LONG, abort.signal)).rejects.toThrow('the server ends');
  expect(await queue.enter(LONG)).toBeDefined();
});

test('at most two hundred may wait', async () => {
  const queue = new LockQueue();
  const leave = (await queue.enter(LONG))!;
  const waiting = Array.from({ length: 200 }, async () => (await queue.enter(LONG))!());
  expect(await queue.enter(LONG)).toBeUndefined();
  leave();
  await Promise.all(waiting);
});

test('a wait longer than timers can take does not end at once', async () => {
  const queue = new LockQueue();
  const leave = (await queue.enter(LONG))!;
  const late = queue.enter(20);
  const next = queue.enter(2 ** 40);
  await late;
  leave();
  expect(await next).toBeDefined();
});
