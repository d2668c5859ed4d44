import { createLogger } from '@svc/service-kit';
import { type Actor, AuditLog } from './audit-log.js';
import { RefusalLog } from './refusal-log.js';

let lines: Record<string, unknown>[];
let refusals: RefusalLog;

beforeEach(() => {
  lines = [];
  const write = (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>);
  // Audit lines do not depend on the level of the log.
  refusals = new RefusalLog(new AuditLog(createLogger('commander-api', 'error', { write })));
});

const from = (address: string, id: string): Actor => ({ actor: 'anonymous', address, request_id: id });

test('the first refusal of a kind is written at once, repetitions as one line with their number', () => {
  for (let index = 0; index < 1000; index++)
    refusals.add('unknown', from('192.0.2.1', `a${index}`), undefined);
  refusals.add('unknown', from('192.0.2.2', 'b'), undefined);
  refusals.flush();
  const refused = { event: 'token.refused', outcome: 'refused', reason: 'unknown', msg: 'audit' };
  expect(lines).toMatchObject([
    { ...refused, address: '192.0.2.1', request_id: 'a0', details: { count: 1 } },
    { ...refused, address: '192.0.2.2', request_id: 'b', details: { count: 1 } },
    { ...refused, address: '192.0.2.1', details: { count: 999 } },
  ]);
  expect(lines[2]).not.toHaveProperty('request_id');
});

test('a kind without repetitions is forgotten with the window, so that its next refusal is written at once', () => {
  refusals.add('library', from('192.0.2.1', 'a'), 'other');
  refusals.flush();
  refusals.add('library', from('192.0.2.1', 'b'), 'third');
  expect(lines.map(({ target }) => target)).toEqual(['other', 'third']);
});

test('a flood from many addresses is bounded to 10,000 lines in a window', () => {
  for (let index = 0; index < 10_100; index++)
    refusals.add('unknown', from(`2001:db8::${index.toString(16)}`, 'a'), undefined);
  expect(lines).toHaveLength(10_000);
});

test('a silent log has no audit lines', () => {
  const write = (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>);
  const silent = new AuditLog(createLogger('commander-api', 'silent', { write }));
  silent.record('library.load', { actor: 'interval' }, { outcome: 'succeeded' });
  expect(lines).toEqual([]);
});
