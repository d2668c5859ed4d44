import { KEY_BYTES, RowScanner } from './row-scanner.js';
import { loadScan } from '../files/load-scan.js';

const program = loadScan()!;

/** The rows at the start of a text that are in plain form: addresses and number of the values' text. */
function scan(text: string, name: string, scanner = RowScanner.create(program, 1 << 20, 4096)!): number[][] {
  const width = name === 'ipv6-int' ? 4 : 1;
  expect(scanner.configure({ name, width, separator: 44 })).toBe(true);
  const length = scanner.input.write(text);
  scanner.scan(0, length, length);
  const rows = Array.from({ length: scanner.count }, (_, row) => row * scanner.stride);
  return rows.map((at) => [...scanner.rows.subarray(at, at + scanner.stride - 1)]);
}

test.each([
  [
    'ipv4-int',
    '1,20,a\n"3","0000000040",b\r\n16777216,4294967295,a\n',
    [
      [1, 20, 0],
      [3, 40, 1],
      [16777216, 4294967295, 0],
    ],
  ],
  ['ipv4', '1.2.3.4,"1.2.3.255",\n', [[0x01020304, 0x010203ff, 0]]],
  [
    'ipv6-int',
    '0,340282366920938463463374607431768211455\n',
    [[0, 0, 0, 0, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0]],
  ],
  [
    'ipv6-int',
    '281470698520576,281470698520577,x\n',
    [[0, 0, 0xffff, 0x01000000, 0, 0, 0xffff, 0x01000001, 0]],
  ],
])('rows in plain form (%s): %j', (format, text, rows) => {
  expect(scan(text, format)).toEqual(rows);
});

test.each([
  ['ipv4-int', '4294967296,4294967297,a'],
  ['ipv4-int', '00000000001,2,a'],
  ['ipv4-int', '2,1,a'],
  ['ipv4-int', ' 1,2,a'],
  ['ipv4-int', '1,2x,a'],
  ['ipv4-int', '1;2,a'],
  ['ipv4-int', '"1,2,a'],
  ['ipv4-int', '1,2,"a'],
  ['ipv4-int', '1,2,"a"b'],
  ['ipv4-int', ''],
  ['ipv4-int', `1,2,${'x'.repeat(4096)}`],
  ['ipv4', '1.2.3.04,1.2.3.5,a'],
  ['ipv4', '1.2.3.256,1.2.3.5,a'],
  ['ipv4', '1.2.3,1.2.3.5,a'],
  ['ipv6-int', '340282366920938463463374607431768211456,340282366920938463463374607431768211456,a'],
  ['ipv6-int', '1000000000000000000000000000000000000000000000001,2,a'],
])('rows to be read with all checks (%s): %s', (format, row) => {
  expect(scan(`${row}\n1,2,a\n`, format)).toEqual([]);
});

test('texts are numbered in order of first appearance, while their table grows, and compared whole', () => {
  const scanner = RowScanner.create(program, 1 << 20, 1 << 15)!;
  // Of every length, and different in any byte.
  const texts = Array.from({ length: 20_000 }, (_, n) => `,${'x'.repeat(n % 37)}${n}${'y'.repeat(n % 11)}`);
  const numbers = Array.from(texts.keys(), (n) => [1, 2, n]);
  const text = texts.map((each) => `1,2${each}\n`).join('');
  for (let round = 0; round < 2; round++) expect(scan(text, 'ipv4-int', scanner)).toEqual(numbers);
});

/** 2^13 texts with the same hash if all keys are zero: in any 16 bytes, the two words multiplied may change places. */
function craftedTexts(): string {
  const rows = Array.from({ length: 1 << 13 }, (_, choices) => {
    const steps = Array.from({ length: 13 }, (_, bit) =>
      (choices >>> bit) & 1 ? 'AAAAbbbbCCCCdddd' : 'CCCCbbbbAAAAdddd',
    );
    return `1,2,${'e'.repeat(15)}${steps.join('')}\n`;
  });
  return rows.join('');
}

test('texts crafted to collide do not, since the keys are random', () => {
  const crafted = craftedTexts();
  const milliseconds = [new Uint8Array(KEY_BYTES), loadScan()!.keys].map((keys) => {
    const scanner = RowScanner.create({ ...program, keys }, 1 << 22, 1 << 14)!;
    const started = performance.now();
    expect(scan(crafted, 'ipv4-int', scanner)).toHaveLength(1 << 13);
    return performance.now() - started;
  });
  expect(milliseconds[1]).toBeLessThan(milliseconds[0]! / 2);
});
