import { LATER_WINS } from './precedence.js';
import { RowHeap } from './row-heap.js';

test('the highest row is always on top', () => {
  const heap = new RowHeap(LATER_WINS);
  const expected: number[] = [];
  expect(heap.top).toBe(-1);
  heap.pop();
  expect(heap.top).toBe(-1);
  let seed = 7;
  for (let step = 0; step < 2000; step++) {
    seed = (seed * 1103515245 + 12345) % 2 ** 31;
    // Grows at first and shrinks in the end, down to nothing.
    if (seed % 2000 > step) {
      heap.push(seed % 500);
      expected.push(seed % 500);
      expected.sort((a, b) => a - b);
    } else {
      heap.pop();
      expected.pop();
    }
    expect(heap.top).toBe(expected.at(-1) ?? -1);
  }
  while (expected.length > 0) {
    heap.pop();
    expected.pop();
    expect(heap.top).toBe(expected.at(-1) ?? -1);
  }
});
