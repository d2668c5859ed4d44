import { setImmediate as settled } from 'node:timers/promises';
import { Semaphore } from './semaphore.js';

test('at most the limit work at once, in the order they came; a failure passes the turn on', async () => {
  const turns = new Semaphore(2);
  const started: number[] = [];
  const finish: ((fails: boolean) => void)[] = [];
  const all = [0, 1, 2, 3].map(async (index) =>
    turns.run(async () => {
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
