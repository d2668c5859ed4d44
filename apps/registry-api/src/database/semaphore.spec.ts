import { setImmediate as settled } from 'node:timers/promises';
import { Semaphore } from './semaphore.js';

test('a semaphore runs at most its limit at a time, in order; a failure frees its place', async () => {
  const semaphore = new Semaphore(2);
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
