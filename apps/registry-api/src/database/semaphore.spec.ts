import { setImmediate as settled } from 'node:timers/promises';
import { Semaphore, SemaphoreTimeoutError } from './semaphore.js';

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

test('owners take turns, however many tasks of one wait', async () => {
  const semaphore = new Semaphore(() => 1);
  const ran: string[] = [];
  const task = (name: string) => async () => void ran.push(name);
  const many = Array.from({ length: 5 }, async (_, index) => semaphore.run(task(`a${index}`), 'a'));
  await Promise.all([...many, semaphore.run(task('b0'), 'b'), semaphore.run(task('b1'), 'b')]);
  expect(ran).toEqual(['a0', 'a1', 'b0', 'a2', 'b1', 'a3', 'a4']);
});

test('a task that waits too long gives up, and its turn passes to the next', async () => {
  const semaphore = new Semaphore(() => 1, 20);
  let finish: (() => void) | undefined;
  const first = semaphore.run(async () => new Promise<void>((resolve) => (finish = resolve)), 'a');
  await expect(semaphore.run(async () => undefined, 'b')).rejects.toThrow(SemaphoreTimeoutError);
  const third = semaphore.run(async () => 'ran', 'b');
  finish?.();
  await first;
  expect(await third).toBe('ran');
});
