import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { type Schedule, ScheduledWork } from './scheduled-work.js';

const SCHEDULE: Schedule = { everyMs: 1_000 };

class Pruning extends ScheduledWork {
  runs = 0;
  outcome: () => Promise<string | undefined> = async () => Promise.resolve(undefined);

  constructor(schedule = SCHEDULE) {
    super('prune', schedule);
  }

  async batches(limit: number, step: () => Promise<number>): Promise<number> {
    return this.inBatches(limit, step);
  }

  protected async run(): Promise<string | undefined> {
    this.runs += 1;
    return this.outcome();
  }
}

const logged = jest.fn<(message: string) => void>();
const failed = jest.fn<(message: string) => void>();

beforeEach(() => {
  jest.useFakeTimers();
  Logger.overrideLogger({ log: logged, error: failed, warn: () => {} });
  jest.clearAllMocks();
});
afterEach(() => jest.useRealTimers());

const close = async (work: ScheduledWork) => {
  work.onModuleDestroy();
  await work.onApplicationShutdown();
};

const started = (schedule = SCHEDULE) => {
  const work = new Pruning(schedule);
  work.onModuleInit();
  return work;
};

test('it runs again and again, at most twice as rarely as scheduled', async () => {
  const work = started();
  await jest.advanceTimersByTimeAsync(999);
  expect(work.runs).toBe(0);
  await jest.advanceTimersByTimeAsync(20_000);
  expect(work.runs).toBeGreaterThanOrEqual(10);
  expect(work.runs).toBeLessThanOrEqual(20);
  await close(work);
  const { runs } = work;
  await jest.advanceTimersByTimeAsync(20_000);
  expect(work.runs).toBe(runs);
});

test('the first run may come sooner', async () => {
  const work = started({ everyMs: 60_000, firstAfterMs: 10 });
  await jest.advanceTimersByTimeAsync(10);
  expect(work.runs).toBe(1);
  await close(work);
});

test('a run that is not finished is not joined by another, and is awaited when the service closes', async () => {
  const work = started();
  let finish = () => {};
  work.outcome = async () => new Promise((resolve) => (finish = () => resolve('pruned 1')));
  await jest.advanceTimersByTimeAsync(10_000);
  expect(work.runs).toBe(1);
  let isClosed = false;
  const closing = close(work).then(() => (isClosed = true));
  await jest.advanceTimersByTimeAsync(1_000);
  expect(isClosed).toBe(false);
  finish();
  await closing;
  expect(logged.mock.calls.map(([message]) => message)).toEqual(['pruned 1']);
});

test('failures are logged and the next run comes, but an unreachable database is reported elsewhere', async () => {
  const work = started();
  work.outcome = async () => Promise.reject(new Error('disk full'));
  await jest.advanceTimersByTimeAsync(2_000);
  expect(failed.mock.calls.map(([message]) => message)).toContain('cannot prune: Error: disk full');
  failed.mockClear();
  work.outcome = async () => Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }));
  const { runs } = work;
  await jest.advanceTimersByTimeAsync(4_000);
  expect(work.runs).toBeGreaterThan(runs);
  expect(failed).not.toHaveBeenCalled();
  await close(work);
});

test('batches go on while they are full, and end when the service closes', async () => {
  const work = new Pruning();
  const sizes = [5, 5, 3, 5];
  expect(await work.batches(5, async () => Promise.resolve(sizes.shift() ?? 0))).toBe(13);
  let steps = 0;
  const endless = work.batches(1, async () => {
    steps += 1;
    if (steps === 3) work.onModuleDestroy();
    return 1;
  });
  expect(await endless).toBe(3);
});
