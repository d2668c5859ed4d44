import fc from 'fast-check';
import type { ClientUse } from './client-use.js';
import { MAX_ROWS_PER_BATCH, type UsageBatch, UsageQueue } from './usage-queue.js';

const START = Date.parse('2026-11-24T23:59:00.000Z');

const accepted = (uri: string): ClientUse => ({
  kind: 'request',
  redirect_uri: uri,
  match: 'exact',
  pkce: 'S256',
  response_type: 'code',
});

const queueFrom = (start = START) => {
  let id = 0;
  return new UsageQueue('r', () => String((id += 1)), start);
};

const countOf = (batches: readonly UsageBatch[]) =>
  batches.flatMap(({ rows }) => rows).reduce((sum, { count }) => sum + count, 0);

test('equal uses of one day are one row, with the first and the last time', () => {
  const queue = queueFrom();
  for (const after of [5, 3, 9, 60_000]) queue.record('shop', accepted('https://a.example/'), START + after);
  const [batch, ...others] = queue.batches(START + 70_000);
  expect(others).toEqual([]);
  expect(batch).toEqual({
    batch_id: '1',
    reporter: 'r',
    from: '2026-11-24T23:59:00.000Z',
    to: '2026-11-25T00:00:10.000Z',
    rows: [
      {
        client_id: 'shop',
        use: accepted('https://a.example/'),
        count: 3,
        first_at: '2026-11-24T23:59:00.003Z',
        last_at: '2026-11-24T23:59:00.009Z',
      },
      expect.objectContaining({ count: 1, first_at: '2026-11-25T00:00:00.000Z' }),
    ],
  });
});

test('a batch that was not sent stays as it is, and what follows waits for the next', () => {
  const queue = queueFrom();
  queue.record('shop', accepted('https://a.example/'), START);
  const [first] = queue.batches(START + 1_000);
  queue.record('shop', accepted('https://a.example/'), START + 2_000);
  expect([...queue.batches(START + 3_000)]).toEqual([first]);
  queue.sent(first!);
  const [second] = queue.batches(START + 4_000);
  expect(second).toMatchObject({ batch_id: '2', from: first!.to, rows: [{ count: 1 }] });
});

test('says since when uses wait: from the beginning of the first interval that was not sent', () => {
  const queue = queueFrom();
  expect(queue.waitingSince).toBeUndefined();
  queue.record('shop', accepted('https://a.example/'), START + 500);
  const [first] = queue.batches(START + 1_000);
  queue.record('shop', accepted('https://a.example/'), START + 2_000);
  expect(queue.waitingSince).toBe(START);
  queue.sent(first!);
  expect(queue.waitingSince).toBe(START + 1_000);
});

test('only the last batch of an interval ends it', () => {
  const queue = queueFrom();
  const clients = Array.from({ length: MAX_ROWS_PER_BATCH + 1 }, (_, index) => `c${index}`);
  for (const id of clients) queue.record(id, accepted('https://a.example/'), START);
  const batches = [...queue.batches(START + 10_000, true)];
  expect(batches.map(({ from, to, is_final: isFinal }) => [from === to, isFinal])).toEqual([
    [true, undefined],
    [false, true],
  ]);
});

test('further uses of one Client are counted together, further Clients are dropped and the interval says so', () => {
  const queue = queueFrom();
  for (let index = 0; index < 300; index += 1) {
    expect(queue.record('shop', accepted(`https://h${index}.example/`), START)).toBe(true);
  }
  expect(queue.rows).toBe(201);
  for (let client = 0; queue.record(`c${client}`, accepted('https://a.example/'), START); client += 1);
  expect(queue.rows).toBe(50_000);
  const batches = [...queue.batches(START + 1)];
  expect(countOf(batches)).toBe(50_099);
  expect(batches.filter(({ is_incomplete: isIncomplete }) => isIncomplete)).toEqual([batches.at(-1)]);
  expect(batches.flatMap(({ rows }) => rows).find(({ use }) => use.others)).toMatchObject({ count: 100 });
});

test('whatever happens and whenever sending fails, each use is in one sent batch, and intervals leave no gap', () => {
  const step = fc.oneof(
    fc.record({ client: fc.constantFrom('a', 'b'), uri: fc.constantFrom('x:/1', 'x:/2'), ms: fc.nat(5_000) }),
    fc.constantFrom('send' as const, 'fail' as const),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const queue = queueFrom();
      const expected = new Map<string, number>();
      const sent: UsageBatch[] = [];
      let now = START;
      const send = (isFinal = false) => {
        for (const batch of queue.batches(now, isFinal)) {
          sent.push(batch);
          queue.sent(batch);
        }
      };
      for (const each of steps) {
        if (each === 'fail') queue.batches(now).next();
        else if (each === 'send') send();
        else {
          now += each.ms;
          queue.record(each.client, accepted(each.uri), now);
          const key = `${each.client} ${each.uri}`;
          expected.set(key, (expected.get(key) ?? 0) + 1);
        }
      }
      send();
      send(true);
      const counted = new Map<string, number>();
      for (const { client_id: id, use, count } of sent.flatMap(({ rows }) => rows)) {
        const key = `${id} ${use.kind === 'request' ? use.redirect_uri : ''}`;
        counted.set(key, (counted.get(key) ?? 0) + count);
      }
      expect(counted).toEqual(expected);
      expect(sent.map(({ from }) => from)).toEqual([
        new Date(START).toISOString(),
        ...sent.slice(0, -1).map(({ to }) => to),
      ]);
    }),
  );
});
