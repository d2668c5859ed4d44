import { jest } from '@jest/globals';
import type { RequestUse, UsageBatch } from '@svc/client-metadata';
import { UsageReporter } from './usage-reporter.js';

const USE: RequestUse = { kind: 'request', match: 'unchecked', pkce: 'none', response_type: 'code' };

afterEach(() => jest.useRealTimers());

test('what cannot be sent is sent again with the same id, and the last batch says that it is the last', async () => {
  const sent: UsageBatch[] = [];
  let isReachable = false;
  const reporter = new UsageReporter(async (batch) => {
    sent.push(batch);
    if (!isReachable) throw new Error('unreachable');
    return 'counted';
  }, true);
  reporter.record('shop', USE);
  await reporter.flush();
  reporter.record('shop', USE);
  isReachable = true;
  await reporter.flush();
  await reporter.close();
  expect(sent[1]).toEqual(sent[0]);
  expect(sent.slice(1).map(({ rows, is_final: isFinal }) => [rows.length, isFinal])).toEqual([
    [1, undefined],
    [1, undefined],
    [0, true],
  ]);
  const intervals = sent.slice(1);
  expect(intervals.slice(1).map(({ from }) => from)).toEqual(intervals.slice(0, -1).map(({ to }) => to));
});

test('what is counted while a report fails is sent at the end, too', async () => {
  const sent: UsageBatch[] = [];
  let fail = (): void => undefined;
  const reporter = new UsageReporter(async (batch) => {
    sent.push(batch);
    if (sent.length === 1) await new Promise((_, reject) => (fail = () => reject(new Error('unreachable'))));
    return 'counted';
  }, true);
  reporter.record('shop', USE);
  void reporter.flush();
  reporter.record('mail', USE);
  const closed = reporter.close();
  fail();
  await closed;
  expect(sent[1]).toEqual(sent[0]);
  expect(sent.slice(1).flatMap(({ rows }) => rows.map(({ client_id }) => client_id))).toEqual([
    'shop',
    'mail',
  ]);
  expect(sent.at(-1)).toMatchObject({ is_final: true });
});

test('a filling queue that cannot be sent is tried again after an interval, not with every use', async () => {
  jest.useFakeTimers();
  let attempts = 0;
  const reporter = new UsageReporter(async () => {
    attempts += 1;
    throw new Error('unreachable');
  }, true);
  for (let client = 0; client < 60_000; client += 1) reporter.record(`c${client}`, USE);
  for (let round = 0; round < 50; round += 1) {
    await jest.advanceTimersByTimeAsync(100);
    reporter.record('shop', USE);
  }
  expect(attempts).toBe(1);
  await jest.advanceTimersByTimeAsync(10_000);
  expect(attempts).toBe(2);
});

test('nothing is reported where that is switched off', async () => {
  const reporter = new UsageReporter(async () => {
    throw new Error('nothing to send');
  }, false);
  reporter.record('shop', USE);
  await reporter.close();
});
