import pino from 'pino';
import { Outage } from './outage.js';

let lines: string[];
let outage: Outage;
beforeEach(() => {
  lines = [];
  const logger = pino(
    {},
    { write: (line: string) => lines.push((JSON.parse(line) as { readonly msg: string }).msg) },
  );
  outage = new Outage({ began: 'began', ended: 'ended' }, logger);
});

test('however much fails, and whatever succeeds then, the log has one line of its beginning and one of its end', () => {
  for (let attempt = 0; attempt < 3; attempt += 1) outage.failed(new Error('refused'), performance.now());
  expect([outage.isOngoing, lines]).toEqual([true, ['began']]);
  for (let attempt = 0; attempt < 3; attempt += 1) outage.succeeded();
  expect([outage.isOngoing, lines]).toEqual([false, ['began', 'ended']]);
});

test('an attempt that began before another succeeded, and fails later, begins no outage; the next one does', () => {
  const begunAt = performance.now() - 1;
  outage.failed(new Error('refused'), begunAt);
  outage.succeeded();
  outage.failed(new Error('read-only'), begunAt);
  expect([outage.isOngoing, lines]).toEqual([false, ['began', 'ended']]);
  outage.failed(new Error('read-only'), performance.now());
  expect([outage.isOngoing, lines]).toEqual([true, ['began', 'ended', 'began']]);
});
