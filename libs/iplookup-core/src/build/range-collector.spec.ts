import { formatIpv4, formatIpv6 } from '../address/format-address.js';
import { parseAddress } from '../address/parse-address.js';
import type { RowStore } from '../rows/row-store.js';
import type { BuildOptions } from './build-options.js';
import { planBuild } from './plan-build.js';
import { isMappedPiece, pieceValue, RangeCollector } from './range-collector.js';
import { EMPTY_ROW, FULL_ROW, PARTLY_EMPTY, payloadOf } from './row-payload.js';

type Row = readonly [first: string, last: string, kind?: number];

/** The rows kept by the collector; values are row numbers from 0, lines start at 11. */
function collect(rows: readonly Row[], options: Partial<BuildOptions> = {}) {
  const plan = planBuild('DB1LITE-IP.CSV', {
    kind: 'csv',
    inputFormat: 'auto',
    lookupName: 'x',
    buildEpoch: 0,
    ...options,
  });
  const collector = new RangeCollector(plan);
  const { width } = plan.format;
  for (const [index, [first, last, kind = FULL_ROW]] of rows.entries()) {
    const range = new Uint32Array(8);
    for (const [at, text] of [first, last].entries()) {
      const words = new Uint32Array(4);
      parseAddress(text, words);
      range.set(words.subarray(0, width), at * width);
    }
    collector.add(range, payloadOf(index, kind), 11 + index);
  }
  const { ipv4, ipv6, behindIpv4, splitLines, ...counts } = collector;
  return {
    ipv4: rowsOf(ipv4),
    ipv6: rowsOf(ipv6),
    behindIpv4: rowsOf(
      behindIpv4,
      (value) => `${pieceValue(value)}${isMappedPiece(value) ? ', mapped' : ''}`,
    ),
    splitLines: [...splitLines.keys()],
    counts,
  };
}

function rowsOf(store: RowStore, describe: (value: number) => string = String): string[] {
  return Array.from({ length: store.count }, (_, row) => {
    const words = store.chunkOf(row);
    const text = (at: number) => (store.width === 1 ? formatIpv4(words[at]!) : formatIpv6(words, at));
    const at = store.offset(row);
    return `${text(at)} - ${text(at + store.width)} = ${describe(store.valueOf(row))}, line ${store.lineOf(row)}`;
  });
}

test('IPv4-mapped rows are IPv4 rows, and only they', () => {
  const { ipv4, ipv6, behindIpv4, splitLines } = collect([
    ['::ffff:1.2.3.4', '::ffff:1.2.3.9'],
    ['2001:db8::ffff:0', '2001:db8::ffff:9'],
    ['0:1::ffff:1.2.3.4', '0:1::ffff:1.2.3.4'],
    ['0:0:0:1::ffff:0:0', '0:0:0:1::ffff:0:9'],
    ['::1.2.3.4', '::1.2.3.4'],
    ['::1:0:0', '::fffe:ffff:ffff'],
  ]);
  expect(ipv4).toEqual(['1.2.3.4 - 1.2.3.9 = 0, line 11']);
  expect(ipv6).toEqual([
    '2001:db8::ffff:0 - 2001:db8::ffff:9 = 1, line 12',
    '0:1::ffff:102:304 - 0:1::ffff:102:304 = 2, line 13',
    '::1:0:ffff:0:0 - ::1:0:ffff:0:9 = 3, line 14',
    '::1:0:0 - ::fffe:ffff:ffff = 5, line 16',
  ]);
  expect(behindIpv4).toEqual(['1.2.3.4 - 1.2.3.4 = 4, line 15']);
  expect(splitLines).toEqual([]);
});

test('a row across the borders is cut at each of them, and its line is known', () => {
  const { ipv4, ipv6, behindIpv4, splitLines, counts } = collect([
    ['::9', '::1:0:0:7'],
    ['::ffff:255.255.255.255', '::1:0:0:0'],
  ]);
  expect(ipv4).toEqual([]);
  expect(behindIpv4).toEqual([
    '0.0.0.9 - 255.255.255.255 = 0, line 11',
    '0.0.0.0 - 255.255.255.255 = 0, mapped, line 11',
    '255.255.255.255 - 255.255.255.255 = 1, mapped, line 12',
  ]);
  expect(ipv6).toEqual([
    '::1:0:0 - ::fffe:ffff:ffff = 0, line 11',
    '::1:0:0:0 - ::1:0:0:7 = 0, line 11',
    '::1:0:0:0 - ::1:0:0:0 = 1, line 12',
  ]);
  expect(splitLines).toEqual([11, 12]);
  expect(counts).toMatchObject({ read: 2, kept: 2, leftOut: 0 });
});

test('an IPv4 tree keeps the IPv4 part of each row, and counts rows without one', () => {
  const { ipv4, ipv6, behindIpv4, counts } = collect(
    [
      ['::', '::ffff:0.0.0.9'],
      ['::1', '::2'],
      ['::1:0:0', '::2:0:0'],
      ['::1:0:0:0', '2001::'],
      ['::ffff:1.1.1.1', '::ffff:1.1.1.1'],
    ],
    { forceIpv4: true },
  );
  expect(ipv4).toEqual(['1.1.1.1 - 1.1.1.1 = 4, line 15']);
  expect(behindIpv4).toEqual(['0.0.0.0 - 0.0.0.9 = 0, mapped, line 11']);
  expect(ipv6).toEqual([]);
  expect(counts).toMatchObject({ read: 5, kept: 2, leftOut: 3 });
});

test('rows of an IPv4 format', () => {
  const { ipv4, counts } = collect([['1.0.0.0', '1.0.0.255']], { inputFormat: 'ipv4' });
  expect(ipv4).toEqual(['1.0.0.0 - 1.0.0.255 = 0, line 11']);
  expect(counts).toMatchObject({ read: 1, kept: 1 });
});

test.each([
  ['all', { kept: 2, dropped: 1 }],
  ['any', { kept: 1, dropped: 2 }],
] as const)(
  'rows with empty cells are counted by kind, and dropped by the rule %s',
  (emptyRows, expected) => {
    const rows: Row[] = [
      ['1.0.0.0', '1.0.0.0'],
      ['2.0.0.0', '2.0.0.0', PARTLY_EMPTY],
      ['3.0.0.0', '3.0.0.0', EMPTY_ROW],
    ];
    const { counts } = collect(rows, {
      kind: 'vendor',
      inputFormat: 'ipv4-int',
      columnNames: ['v'],
      emptyRows,
    });
    expect(counts).toMatchObject({ read: 3, emptyRows: 1, partlyEmptyRows: 1, ...expected });
  },
);
