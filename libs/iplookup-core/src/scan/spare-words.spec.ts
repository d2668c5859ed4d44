import { SpareWords } from './spare-words.js';

test('words that are taken do not overlap, whether their memory is new or used again', () => {
  const spare = new SpareWords();
  const former = new Uint32Array(70_000);
  spare.add(former);
  spare.add(new Uint32Array(10));
  const taken = Array.from({ length: 9 }, (_, i) => spare.take(30_000).fill(i + 1));
  expect(taken.map((words, i) => words.every((word) => word === i + 1))).toEqual(Array(9).fill(true));
  expect(taken.map((words) => words.buffer === former.buffer)).toEqual([
    true,
    true,
    ...Array<boolean>(7).fill(false),
  ]);
});
