import { RowStore } from './row-store.js';

const LAST = 0xffff_ffff;
const CHUNK_ROWS = 16_384;

/** A store of IPv4 rows: first and last address, and value. */
function store(...rows: (readonly [first: number, last: number, value: number])[]): RowStore {
  const made = new RowStore(1);
  for (const [index, [first, last, value]] of rows.entries())
    made.append(Uint32Array.of(first, last), 0, 1, value, index + 2);
  return made;
}

test.each([
  ['no row', [], true],
  ['one row', [[5, 9, 1]], true],
  ['one row of all addresses', [[0, LAST, 1]], true],
  [
    'rows with a gap',
    [
      [0, 3, 1],
      [5, 9, 1],
    ],
    true,
  ],
  [
    'rows side by side',
    [
      [0, 3, 1],
      [4, 9, 1],
    ],
    true,
  ],
  [
    'rows that share an address',
    [
      [0, 4, 1],
      [4, 9, 1],
    ],
    false,
  ],
  [
    'a row below the one before',
    [
      [5, 9, 1],
      [0, 3, 1],
    ],
    false,
  ],
  [
    'a row after the last address',
    [
      [5, LAST, 1],
      [0, 3, 1],
    ],
    false,
  ],
  [
    'a disorder that ends',
    [
      [5, 9, 1],
      [0, 3, 1],
      [20, 30, 1],
    ],
    false,
  ],
] as const)('%s: in order or not', (_what, rows, ordered) => {
  expect(store(...rows).ordered).toBe(ordered);
});

test.each([
  ['the first row, though it starts at 0 with value 0', [[0, 3, 0]], 0],
  [
    'a row side by side with one of the same value',
    [
      [0, 3, 7],
      [4, 5, 7],
    ],
    1,
  ],
  [
    'a row side by side with one of another value',
    [
      [0, 3, 7],
      [4, 5, 8],
    ],
    0,
  ],
  [
    'a row of the same value after a gap',
    [
      [0, 3, 7],
      [5, 6, 7],
    ],
    0,
  ],
  [
    'three rows that are one',
    [
      [0, 3, 7],
      [4, 5, 7],
      [6, 6, 7],
    ],
    2,
  ],
] as const)('%s: %#', (_what, rows, continued) => {
  expect(store(...rows).continued).toBe(continued);
});

test('IPv6 rows are compared by all their words', () => {
  const rows = new RowStore(4);
  rows.append(Uint32Array.of(0, 0, 1, 5, 0, 0, 1, LAST), 0, 4, 3, 2);
  rows.append(Uint32Array.of(0, 0, 2, 0, 0, 0, 2, 9), 0, 4, 3, 3);
  expect([rows.ordered, rows.continued, rows.count]).toEqual([true, 1, 2]);
  rows.append(Uint32Array.of(0, 0, 2, 9, 0, 0, 3, 0), 0, 4, 3, 4);
  expect(rows.ordered).toBe(false);
});

test('rows can be read until their array is released', () => {
  const count = 2 * CHUNK_ROWS + 10;
  const rows = store(...Array.from({ length: count }, (_, row) => [4 * row, 4 * row + 1, row % 7] as const));
  const wrong = Array.from({ length: count }, (_, row) => row).filter((row) => {
    const [first, last] = rows.chunkOf(row).subarray(rows.offset(row));
    const isLast = row === CHUNK_ROWS - 1 || row === 2 * CHUNK_ROWS - 1;
    const isSame = first === 4 * row && last === 4 * row + 1 && rows.valueOf(row) === row % 7;
    return !isSame || rows.lineOf(row) !== row + 2 || rows.endsChunk(row) !== isLast;
  });
  expect(wrong).toEqual([]);
  rows.release(CHUNK_ROWS);
  expect(() => rows.valueOf(CHUNK_ROWS)).toThrow(new RangeError(`row ${CHUNK_ROWS} was given back`));
  expect(rows.valueOf(CHUNK_ROWS - 1)).toBe((CHUNK_ROWS - 1) % 7);
  expect(rows.valueOf(2 * CHUNK_ROWS)).toBe((2 * CHUNK_ROWS) % 7);
});
