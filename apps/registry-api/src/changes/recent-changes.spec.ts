import { RecentChanges } from './recent-changes.js';

const change = (seq: number, size = 1) => ({ seq, bytes: Buffer.alloc(size) });
const seqsAfter = (recent: RecentChanges, seq: number) => recent.after(seq).map((kept) => kept.seq);

test('a reader gets what follows the change it names, whether that number was used or not', () => {
  const recent = new RecentChanges(3);
  recent.add([change(5), change(6), change(9)]);
  expect(recent.position).toBe(9);
  expect([3, 4, 5, 7, 8, 9, 10].map((seq) => seqsAfter(recent, seq))).toEqual([
    [5, 6, 9],
    [5, 6, 9],
    [6, 9],
    [9],
    [9],
    [],
    [],
  ]);
});

test('changes before the first known one are not covered', () => {
  const recent = new RecentChanges(3);
  expect([2, 3, 4].map((seq) => recent.covers(seq))).toEqual([false, true, true]);
});

test.each([
  ['many', { changes: 2, bytes: 100 }],
  ['large', { changes: 100, bytes: 25 }],
])('the oldest are dropped when they are too %s', (_name, limits) => {
  const recent = new RecentChanges(0, 0, limits);
  recent.add([change(1, 10), change(2, 10), change(3, 10)]);
  expect([0, 1].map((seq) => recent.covers(seq))).toEqual([false, true]);
  expect(seqsAfter(recent, 1)).toEqual([2, 3]);
});

test('one that is too large by itself is not kept, and has to be read from the database', () => {
  const recent = new RecentChanges(0, 0, { changes: 10, bytes: 10 });
  recent.add([change(1, 50)]);
  expect([recent.position, recent.covers(0), recent.covers(1)]).toEqual([1, false, true]);
});
