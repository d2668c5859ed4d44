import { OverlapReport } from './overlap-report.js';
import { RowStore } from './row-store.js';
import { layOut } from './segments.js';

const LAST = 0xffff_ffff;
const CHUNK_ROWS = 16_384;

function store(rows: readonly (readonly [first: number, last: number])[]): RowStore {
  const made = new RowStore(1);
  for (const [index, [first, last]] of rows.entries())
    made.append(Uint32Array.of(first, last), 0, 1, 100 + index, index + 2);
  return made;
}

/** Lays rows out. @returns the segments, the overlaps, and how often there was time for other work */
function lay(rows: RowStore, release?: boolean, maxNamed = 5, splitLines: readonly number[] = []) {
  const overlaps = new OverlapReport(maxNamed, new Set(splitLines));
  const segments: number[][] = [];
  const sink = (words: Uint32Array, at: number, value: number, row: number): void => {
    segments.push([words[at]!, words[at + 1]!, value, row]);
  };
  let pauses = 0;
  for (
    const steps = layOut(rows, sink, overlaps, release === undefined ? {} : { release });
    !steps.next().done;
  )
    pauses++;
  return { segments, overlaps, pauses };
}

test('ordered rows are passed on unchanged', () => {
  const { segments, overlaps } = lay(
    store([
      [0, 3],
      [4, 4],
      [9, LAST],
    ]),
  );
  expect(segments).toEqual([
    [0, 3, 100, 0],
    [4, 4, 101, 1],
    [9, LAST, 102, 2],
  ]);
  expect([overlaps.count, overlaps.named]).toEqual([0, []]);
});

const NESTED = [
  [10, 90],
  [20, 80],
  [30, 70],
  [20, 20],
  [80, 95],
  [0, LAST],
  [50, 50],
] as const;

test('where rows overlap, the latest wins', () => {
  const { segments, overlaps } = lay(store(NESTED), undefined, 3);
  const winner = (address: number): number =>
    NESTED.findLastIndex(([first, last]) => first <= address && address <= last);
  for (let address = 0; address < 100; address++) {
    const found = segments.filter(([first, last]) => first! <= address && address <= last!);
    expect(found.map(([, , , row]) => row)).toEqual([winner(address)]);
  }
  expect([overlaps.count, overlaps.named.length]).toEqual([6, 3]);
});

test('equal rows give one segment; rows side by side in disorder do not overlap', () => {
  expect(
    lay(
      store([
        [5, 9],
        [5, 9],
      ]),
    ),
  ).toMatchObject({ segments: [[5, 9, 101, 1]], overlaps: { count: 1 } });
  expect(
    lay(
      store([
        [5, 9],
        [0, 4],
      ]),
    ),
  ).toMatchObject({
    segments: [
      [0, 4, 101, 1],
      [5, 9, 100, 0],
    ],
    overlaps: { count: 0 },
  });
});

test('memory of ordered rows is released on the way, unless they are needed afterwards', () => {
  const rows = () =>
    store(Array.from({ length: 2 * CHUNK_ROWS + 5 }, (_, row) => [3 * row, 3 * row + 1] as const));
  const released = rows();
  expect(lay(released)).toMatchObject({ pauses: 2, segments: { length: 2 * CHUNK_ROWS + 5 } });
  expect(() => released.chunkOf(0)).toThrow('row 0 was given back');
  expect(() => released.chunkOf(CHUNK_ROWS)).toThrow(`row ${CHUNK_ROWS} was given back`);
  const kept = rows();
  lay(kept, false);
  expect(kept.valueOf(0)).toBe(100);
});

test('sorting rows yields to other work, too', () => {
  const count = 2 * CHUNK_ROWS + 5;
  const rows = store(
    Array.from({ length: count }, (_, row) => [3 * (count - row), 3 * (count - row)] as const),
  );
  const { pauses, segments } = lay(rows);
  expect(pauses).toBe(3);
  expect(segments.map(([first]) => first)).toEqual(Array.from({ length: count }, (_, row) => 3 * (row + 1)));
});

test('overlaps are named by lines, the earlier first; a split row counts once', () => {
  const report = new OverlapReport(2, new Set([7]));
  report.add(7, 3);
  report.add(7, 4);
  report.add(2, 9);
  report.add(2, 9);
  expect(report.count).toBe(3);
  expect(report.named).toEqual([
    { earlier: 3, later: 7 },
    { earlier: 2, later: 9 },
  ]);
});

/** A naive count of rows above the thresholds, by earlier rows they overlap. */
function naiveOverrides(rows: readonly (readonly [number, number])[]) {
  const counted = rows.map(([first, last], row) => {
    const earlier = rows.flatMap(([from, to], index) =>
      index < row && from <= last && first <= to ? [index + 2] : [],
    );
    return { row: row + 2, overridden: earlier.length, first: earlier[0] };
  });
  return counted.filter(({ overridden }) => overridden > Math.max(100, rows.length / 100));
}

test.each([
  ['at the end', 300, 300, 1],
  ['in the middle', 150, 300, 1],
  ['at the start', 0, 300, 0],
  ['over 100 rows', 300, 100, 0],
  ['over 101 rows', 300, 101, 1],
])(
  'a wide row %s that overrides many rows is reported, with the first of them',
  (_case, place, size, count) => {
    const narrow = Array.from(
      { length: 300 },
      (_, i) => [10 * ((i * 7) % 300), 10 * ((i * 7) % 300) + 9] as const,
    );
    const rows = [...narrow.slice(0, place), [0, 10 * size - 1] as const, ...narrow.slice(place)];
    const { overlaps } = lay(store(rows));
    expect(overlaps.overriding(rows.length)).toEqual(naiveOverrides(rows));
    expect(overlaps.overriding(rows.length)).toHaveLength(count);
  },
);

test('a row that overrides 1 % of the rows or less is not reported', () => {
  const narrow = Array.from({ length: 20_000 }, (_, i) => [10 * i, 10 * i + 9] as const);
  for (const [size, count] of [
    [200, 0],
    [201, 1],
  ] as const) {
    const { overlaps } = lay(store([...narrow, [5, 10 * size - 1]]));
    expect(overlaps.overriding(20_001)).toHaveLength(count);
  }
});

test('of many rows that override many, the five worst are reported', () => {
  const narrow = Array.from({ length: 2000 }, (_, i) => [10 * i, 10 * i + 9] as const);
  const wide = Array.from({ length: 8 }, (_, i) => [2000 * i, 2000 * i + 1200 + 10 * i] as const);
  const rows = [...narrow, ...wide];
  const { overlaps } = lay(store(rows));
  const worst = naiveOverrides(rows).sort((a, b) => b.overridden - a.overridden);
  expect(overlaps.overriding(rows.length)).toEqual(worst.slice(0, 5));
});
