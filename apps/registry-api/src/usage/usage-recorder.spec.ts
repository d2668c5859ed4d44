import { jest } from '@jest/globals';
import type { ClientUse, UsageBatch } from '@svc/client-metadata';
import type { RegistryMetrics } from '../metrics/registry-metrics.js';
import { UsagePolicy } from '../settings/registry-settings.js';
import { UsageRecorder } from './usage-recorder.js';
import type { UsageStore } from './usage.store.js';

const USE: ClientUse = { kind: 'request', match: 'unchecked', pkce: 'none', response_type: 'code' };

const REGISTERED = new Date(Date.UTC(2026, 0, 1));

const METRICS = {
  watch: () => undefined,
  countUsageWritten: () => undefined,
  countUsageDropped: () => undefined,
};

// At noon: counts are kept by day.
beforeEach(() => jest.useFakeTimers({ now: Date.UTC(2026, 0, 1, 12) }));
afterEach(() => jest.useRealTimers());

function startRecorder(isAway = false) {
  /** Seconds from the start at which rows were written, and how many. */
  const writes: [number, number][] = [];
  const started = Date.now();
  const store = {
    addOwn: async ({ rows }: UsageBatch) => {
      const second = Math.round((Date.now() - started) / 1_000);
      const last = writes.at(-1);
      if (last?.[0] === second) last[1] += rows.length;
      else writes.push([second, rows.length]);
      return isAway
        ? Promise.reject(Object.assign(new Error('away'), { code: 'ECONNREFUSED' }))
        : Promise.resolve();
    },
  };
  const recorder = new UsageRecorder(
    store as unknown as UsageStore,
    new UsagePolicy(true, 400),
    METRICS as unknown as RegistryMetrics,
  );
  recorder.onModuleInit();
  const check = (clients: number) => {
    for (let client = 0; client < clients; client += 1)
      recorder.record({ clientId: `c${client}`, createdAt: REGISTERED }, USE);
  };
  return { recorder, writes, check };
}

async function checkEveryFiveSeconds(seconds: number, check: () => void): Promise<void> {
  for (let second = 0; second < seconds; second += 5) {
    check();
    await jest.advanceTimersByTimeAsync(5_000);
  }
}

test('checks of some thousand clients are written every ten seconds', async () => {
  const { check, writes } = startRecorder();
  await checkEveryFiveSeconds(40, () => check(4_000));
  expect(writes).toEqual([10, 20, 30, 40].map((second) => [second, 4_000]));
});

test('checks of very many clients are written once a minute, and soon again when they become fewer', async () => {
  const { check, writes } = startRecorder();
  await checkEveryFiveSeconds(130, () => check(30_000));
  await checkEveryFiveSeconds(80, () => check(10));
  expect(writes).toEqual([
    [10, 30_000],
    [70, 30_000],
    [130, 30_000],
    [190, 10],
    [200, 10],
    [210, 10],
  ]);
});

test('with a hundred thousand rows, counts are written at once, whatever the time', async () => {
  const { check, writes } = startRecorder();
  await checkEveryFiveSeconds(15, () => check(30_000));
  check(100_000);
  await jest.advanceTimersByTimeAsync(0);
  expect(writes).toEqual([
    [10, 30_000],
    [15, 100_000],
  ]);
});

test('at the end everything is written, whatever the time', async () => {
  const { recorder, check, writes } = startRecorder();
  await checkEveryFiveSeconds(15, () => check(30_000));
  await recorder.onApplicationShutdown();
  expect(writes.at(-1)).toEqual([15, 30_000]);
});

test('while the database is away, a filling queue is not written at every check', async () => {
  const { check, writes } = startRecorder(true);
  check(110_000);
  await jest.advanceTimersByTimeAsync(0);
  check(110_000);
  for (let round = 0; round < 5; round += 1) {
    check(1);
    await jest.advanceTimersByTimeAsync(0);
  }
  expect(writes).toEqual([[0, 1_000]]);
});
