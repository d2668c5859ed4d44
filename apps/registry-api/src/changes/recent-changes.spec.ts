import { RecentChanges } from './recent-changes.js';

const at = (seq: number, mark = '') => ({ seq, mark });
const change = (seq: number, size = 1) => ({
  position: at(seq),
  size,
  bytesFor: () => Buffer.alloc(size),
});
const seqsAfter = (recent: RecentChanges, seq: number, mark = '') =>
  recent.after(at(seq, mark))?.map(({ position }) => position.seq);

test('a reader gets what follows the change it names', () => {
  const recent = new RecentChanges(at(3));
  recent.add([change(5), change(6), change(9)]);
  expect(recent.position).toEqual(at(9));
  expect([3, 5, 6, 9].map((seq) => seqsAfter(recent, seq))).toEqual([[5, 6, 9], [6, 9], [9], []]);
});

test('a change that is not in memory is not known, nor is one with another mark', () => {
  const recent = new RecentChanges(at(3));
  recent.add([change(5)]);
  expect([2, 4, 6].map((seq) => seqsAfter(recent, seq))).toEqual([undefined, undefined, undefined]);
  expect([3, 5].map((seq) => seqsAfter(recent, seq, '0123456789ab'))).toEqual([undefined, undefined]);
});

test.each([
  ['many', { changes: 2, bytes: 100 }],
  ['large', { changes: 100, bytes: 25 }],
])('the oldest are dropped when they are too %s', (_name, limits) => {
  const recent = new RecentChanges(at(0), at(0), limits);
  recent.add([change(1, 10), change(2, 10), change(3, 10)]);
  expect(seqsAfter(recent, 0)).toBeUndefined();
  expect(seqsAfter(recent, 1)).toEqual([2, 3]);
});

test('a change that is too large is not cached, but read from the database', () => {
  const recent = new RecentChanges(at(0), at(0), { changes: 10, bytes: 10 });
  recent.add([change(1, 50)]);
  expect(recent.position).toEqual(at(1));
  expect([0, 1].map((seq) => seqsAfter(recent, seq))).toEqual([undefined, []]);
});
