import type { RequestUse, UsageBatch } from '@svc/client-metadata';
import { UsageReporter } from './usage-reporter.js';

const USE: RequestUse = { kind: 'request', match: 'unchecked', pkce: 'none', response_type: 'code' };

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
  expect(sent[1]).toBe(sent[0]);
  expect(sent.slice(1).map(({ rows, is_final: isFinal }) => [rows.length, isFinal])).toEqual([
    [1, undefined],
    [1, undefined],
    [0, true],
  ]);
  const intervals = sent.slice(1);
  expect(intervals.slice(1).map(({ from }) => from)).toEqual(intervals.slice(0, -1).map(({ to }) => to));
});

test('nothing is reported where that is switched off', async () => {
  const reporter = new UsageReporter(async () => {
    throw new Error('nothing to send');
  }, false);
  reporter.record('shop', USE);
  await reporter.close();
});
