import { setImmediate as settled } from 'node:timers/promises';
import { Semaphore, SemaphoreTimeoutError } from './semaphore.js';

test('a semaphore runs at most its limit at a time, in order; a failure frees its place', async () => {
  const semaphore = new Semaphore({ all: () => 2 });
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
  const semaphore = new Semaphore({ all: () => limit });
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
  const semaphore = new Semaphore({ all: () => 1 });
  const ran: string[] = [];
  const task = (name: string) => async () => void ran.push(name);
  const many = Array.from({ length: 5 }, async (_, index) => semaphore.run(task(`a${index}`), 'a'));
  await Promise.all([...many, semaphore.run(task('b0'), 'b'), semaphore.run(task('b1'), 'b')]);
  expect(ran).toEqual(['a0', 'a1', 'b0', 'a2', 'b1', 'a3', 'a4']);
});

test('a task that waits too long gives up, and its turn passes to the next', async () => {
  const semaphore = new Semaphore({ all: () => 1, waitMs: 20 });
  let finish: (() => void) | undefined;
  const first = semaphore.run(async () => new Promise<void>((resolve) => (finish = resolve)), 'a');
  await expect(semaphore.run(async () => undefined, 'b')).rejects.toThrow(SemaphoreTimeoutError);
  const third = semaphore.run(async () => 'ran', 'b');
  finish?.();
  await first;
  expect(await third).toBe('ran');
});

/** Tasks of an owner that run until they are ended. */
function occupy(semaphore: Semaphore, owner: string | undefined, count: number) {
  const started: (() => void)[] = [];
  const task = async () => new Promise<void>((resolve) => started.push(resolve));
  const all = Array.from({ length: count }, async () => semaphore.run(task, owner));
  return { started, all: Promise.all(all) };
}

test('an owner with its share waits while others start at once', async () => {
  const semaphore = new Semaphore({ all: () => 4, ofOwner: () => 2 });
  const greedy = occupy(semaphore, 'a', 4);
  const other = occupy(semaphore, 'b', 1);
  const unowned = occupy(semaphore, undefined, 2);
  await settled();
  expect([greedy.started, other.started, unowned.started].map(({ length }) => length)).toEqual([2, 1, 1]);
  other.started[0]?.();
  await settled();
  expect([greedy.started.length, unowned.started.length]).toEqual([2, 2]);
  greedy.started[0]?.();
  await settled();
  expect(greedy.started).toHaveLength(3);
  for (const end of unowned.started) end();
  for (const end of greedy.started) {
    end();
    await settled();
  }
  await Promise.all([greedy.all, other.all, unowned.all]);
});

test('a share that rises admits those that wait with the next task', async () => {
  let share = 1;
  const semaphore = new Semaphore({ all: () => 4, ofOwner: () => share });
  const waiting = occupy(semaphore, 'a', 3);
  expect(waiting.started).toHaveLength(1);
  share = 3;
  const next = occupy(semaphore, 'a', 1);
  await settled();
  expect([waiting.started.length, next.started.length]).toEqual([3, 0]);
  for (const end of waiting.started) end();
  await settled();
  next.started[0]?.();
  await Promise.all([waiting.all, next.all]);
});
