import { setTimeout as sleep } from 'node:timers/promises';
import { PendingLoad } from './pending-load.js';

/** Loads that end like this one after the other; the last one stays. */
function make(outcomes: readonly ('fails' | 'is invalid' | 'succeeds')[], retryMs = 1) {
  const abort = new AbortController();
  const seen: string[] = [];
  const pauses: number[] = [];
  const wanted = new PendingLoad({
    load: async () => {
      const outcome = outcomes[Math.min(seen.length, outcomes.length - 1)]!;
      seen.push(outcome);
      await sleep(1);
      if (outcome !== 'succeeds') throw new Error(outcome);
    },
    mayPass: (error) => (error as Error).message === 'fails',
    onRetry: (nextMs) => pauses.push(nextMs),
    signal: abort.signal,
    retryMs,
  });
  return { wanted, seen, pauses, abort };
}

test('transient failures are retried with backoff until they succeed', async () => {
  const { wanted, seen, pauses } = make(['fails', 'fails', 'fails', 'succeeds'], 10);
  wanted.request();
  await wanted.settled();
  expect(seen).toEqual(['fails', 'fails', 'fails', 'succeeds']);
  for (const [index, pause] of pauses.entries()) {
    expect(pause).toBeGreaterThanOrEqual(0.9 * 10 * 2 ** (index + 1));
    expect(pause).toBeLessThanOrEqual(1.1 * 10 * 2 ** (index + 1));
  }
});

test('permanent failures are not retried until the next request', async () => {
  const { wanted, seen } = make(['is invalid', 'succeeds']);
  wanted.request();
  await wanted.settled();
  expect(seen).toEqual(['is invalid']);
  wanted.request();
  await wanted.settled();
  expect(seen).toEqual(['is invalid', 'succeeds']);
});

test('requests during a load are followed by one load more', async () => {
  const { wanted, seen } = make(['succeeds']);
  for (let n = 0; n < 5; n += 1) wanted.request();
  await wanted.settled();
  expect(seen).toHaveLength(2);
});

test('a request just as a load ends is not lost, at whatever turn it comes', async () => {
  for (let turns = 0; turns < 10; turns += 1) {
    let loads = 0;
    let end = (): void => undefined;
    const wanted = new PendingLoad({
      load: async () => {
        loads += 1;
        if (loads === 1) await new Promise<void>((resolve) => (end = resolve));
      },
      mayPass: () => true,
      onRetry: () => undefined,
      signal: new AbortController().signal,
      retryMs: 1,
    });
    wanted.request();
    end();
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
    wanted.request();
    await sleep(1);
    expect({ turns, loads }).toEqual({ turns, loads: 2 });
  }
});

test('a request during a pause ends it, and the end of the server does', async () => {
  const { wanted, seen, abort } = make(['fails', 'fails'], 3_600_000);
  wanted.request();
  await sleep(50);
  expect(seen).toHaveLength(1);
  wanted.request();
  await sleep(50);
  expect(seen).toHaveLength(2);
  abort.abort();
  await wanted.settled();
  expect(seen).toHaveLength(2);
});
