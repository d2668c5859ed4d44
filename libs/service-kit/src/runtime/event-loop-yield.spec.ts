import { jest } from '@jest/globals';
import { activeCallers } from './active-callers.js';
import { EventLoopYield, TaskPerTurn } from './event-loop-yield.js';

/** Keeps the processor for so many milliseconds. */
function work(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

/** How often the event loop has gone round until the work has ended. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await work;
  isOver = true;
  return turns;
}

async function slices(pieces: number, ms: number): Promise<void> {
  const pause = new EventLoopYield();
  for (let piece = 0; piece < pieces; piece += 1) {
    await pause.ifDue();
    work(ms);
  }
}

test('work of 300 ms lets others run at least ten times', async () => {
  expect(await turnsDuring(slices(60, 5))).toBeGreaterThan(10);
});

test('concurrent work of five requests gets one slice per turn of the event loop', async () => {
  const five = Promise.all(Array.from({ length: 5 }, async () => slices(4, 25)));
  expect(await turnsDuring(five)).toBeGreaterThanOrEqual(18);
});

test('short work waits once, for its turn', async () => {
  expect(await turnsDuring(slices(100, 0))).toBeLessThan(20);
});

test('one task runs in each turn of the event loop, in order, also if a task adds another', async () => {
  const tasks = new TaskPerTurn();
  const ran: string[] = [];
  tasks.add(() => {
    ran.push('a');
    tasks.add(() => ran.push('c'));
  });
  tasks.add(() => ran.push('b'));
  for (const upToNow of ['a', 'ab', 'abc', 'abc']) {
    await new Promise((resolve) => setImmediate(resolve));
    expect(ran.join('')).toBe(upToNow);
  }
});

test('slices last 5 ms, and 2 ms while several callers need the server', async () => {
  const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
  const turnsOf = async (pieces: number) => {
    const pause = new EventLoopYield();
    const work = async () => {
      for (let piece = 0; piece < pieces; piece += 1) {
        await pause.ifDue();
        clock.mockReturnValue(performance.now() + 1);
      }
    };
    return turnsDuring(work());
  };
  const alone = await turnsOf(100);
  for (const caller of ['a', 'b']) activeCallers.note(caller);
  const shared = await turnsOf(100);
  expect([alone, shared].map((turns) => Math.round(turns / 10))).toEqual([2, 5]);
});
