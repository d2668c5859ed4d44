import { setImmediate as settled } from 'node:timers/promises';
import { Semaphore } from './semaphore.js';

test('a semaphore runs at most its limit at a time, in order; a failure frees its place', async () => {
  const semaphore = new Semaphore(() => 2);
  const started: number[] = [];
  const finish: ((fails: boolean) => void)[] = [];
  const all = [0, 1, 2, 3].map(async (index) =>
    semaphore.run(async () => {
      started.push(index);
      const fails = await new Promise<boolean>((resolve) => finish.push(resolve));
      if (fails) throw new Error(`${index} failed`);
      return index;
    }),
  );
  const outcomes = Promise.allSettled(all);
  await settled();
  expect(started).toEqual([0, 1]);
  finish[0]?.(true);
  await settled();
  expect(started).toEqual([0, 1, 2]);
  finish[1]?.(false);
  finish[2]?.(false);
  await settled();
  finish[3]?.(false);
  expect((await outcomes).map(({ status }) => status)).toEqual([
    'rejected',
    'fulfilled',
    'fulfilled',
    'fulfilled',
  ]);
});

test('a limit that falls holds tasks back, and one that rises admits more', async () => {
  let limit = 2;
  const semaphore = new Semaphore(() => limit);
  let running = 0;
  const finish: (() => void)[] = [];
  const all = Array.from({ length: 6 }, async () =>
    semaphore.run(async () => {
      running += 1;
      await new Promise<void>((resolve) => finish.push(resolve));
      running -= 1;
    }),
  );
  limit = 1;
  finish.shift()?.();
  await settled();
  expect(running).toBe(1);
  limit = 3;
  finish.shift()?.();
  await settled();
  expect(running).toBe(3);
  while (finish.length > 0) {
    finish.shift()?.();
    await settled();
  }
  await Promise.all(all);
});
