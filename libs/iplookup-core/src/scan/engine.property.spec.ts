import fc from 'fast-check';
import { Reader } from 'mmdb-lib';
import { build, type Built, type BuildTestOptions, violationsOf } from '../../test/build-in-memory.js';
import { runs } from '../../test/property-runs.js';
import { LookupInputError } from '../build/input-violations.js';

/** Bytes as text, which is much faster to compare. */
type Result = (Omit<Built, 'bytes'> & { readonly bytes: string }) | readonly string[];

function attempt(csv: string | Uint8Array, options: BuildTestOptions): Result {
  try {
    const { bytes, counts } = build(csv, options);
    return { bytes: bytes.toString('latin1'), counts };
  } catch (error) {
    if (error instanceof LookupInputError) return error.message.split('\n');
    throw error;
  }
}

const MAPPED = 0xffffn << 32n;
const max = (bits: number): bigint => (1n << BigInt(bits)) - 1n;

const texts = fc.array(
  fc.oneof(
    fc.constantFrom(
      '',
      '-',
      '1.5',
      '0.000000',
      '-0',
      'x',
      'é',
      'a "quoted" one',
      'two\nlines',
      'a,b',
      'long '.repeat(9),
    ),
    fc.string({ maxLength: 20 }),
  ),
  { minLength: 2, maxLength: 2 },
);

/** Lines that are not rows in plain form, or not valid. */
const odd = fc.constantFrom(
  '',
  '\r',
  '7',
  '5,3,a,1',
  '1,x,a,1',
  '4294967296,4294967297,a,1',
  '1,2,a',
  '1,2,"a,1',
  '1,2,"a"b,1',
  ' 8 , 9 ,a,2',
  '"8","9","a","2.5"',
  '008,00009,a,2',
  '1,2,a,not a number',
  '340282366920938463463374607431768211456,340282366920938463463374607431768211457,a,1',
  '0,340282366920938463463374607431768211455,a,1',
);

const quote = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** Rows of a few repeated texts, most of them ascending. */
function fileOf(bits: 32 | 128): fc.Arbitrary<string> {
  const gap = fc.oneof(
    { weight: 6, arbitrary: fc.constant(0n) },
    { weight: 3, arbitrary: fc.bigInt(0n, 300n) },
    { weight: 1, arbitrary: fc.bigInt(-1000n, max(bits - 3)) },
  );
  const start =
    bits === 32
      ? fc.bigInt(0n, max(32))
      : fc.constantFrom(0n, MAPPED, max(32), 0x2002n << 112n, 0x2001n << 112n);
  const row = fc.record({
    gap,
    size: gap,
    text: fc.nat(5),
    odd: fc.option(odd, { freq: 8 }),
    line: fc.constantFrom('\n', '\r\n'),
  });
  return fc
    .tuple(
      start,
      fc.array(texts, { minLength: 6, maxLength: 6 }),
      fc.array(row, { minLength: 1, maxLength: 80 }),
      fc.boolean(),
    )
    .map(([first, known, rows, ended]) => {
      let at = first;
      const lines = rows.map(({ gap, size, text, odd, line }) => {
        const from = at + gap < 0n || at + gap > max(bits) ? 0n : at + gap;
        const to = from + (size < 0n ? 0n : size) > max(bits) ? max(bits) : from + (size < 0n ? 0n : size);
        at = to + 1n;
        return `${odd === null ? '' : `${odd}${line}`}${from},${to},${known[text]!.map(quote).join(',')}${line}`;
      });
      const all = lines.join('');
      return ended ? all : all.trimEnd();
    });
}

const options = fc.record({
  chunkBytes: fc.constantFrom(1, 7, 64, 1000, 1 << 20),
  skipInvalid: fc.boolean(),
  includeIpRange: fc.boolean(),
  emptyRows: fc.constantFrom(undefined, 'all' as const, 'any' as const),
  types: fc.boolean(),
  strict: fc.boolean(),
  /** The engine may start amid the file. */
  engineFromBytes: fc.constantFrom(0, 1, 50, 500),
});

const WITHOUT_ENGINE = { engineFromBytes: Infinity };

test.each([
  ['ipv4-int', 32],
  ['ipv6-int', 128],
] as const)(
  '%s: bytes, counts and violations are those of the build without the engine',
  (inputFormat, bits) => {
    fc.assert(
      fc.property(fileOf(bits), options, (csv, { emptyRows, ...chosen }) => {
        const all = {
          inputFormat,
          header: false,
          columnNames: ['latitude', 'name'],
          ...(emptyRows === undefined ? {} : { emptyRows }),
          ...chosen,
        };
        expect(attempt(csv, all)).toEqual(attempt(csv, { ...all, ...WITHOUT_ENGINE }));
      }),
      { numRuns: runs(150) },
    );
  },
);

test('more rows than the engine passes on at a time, and more nodes than a chunk has', () => {
  const csv = Array.from(
    { length: 20_000 },
    (_, i) => `${i * 200_001 + (i % 3)},${i * 200_001 + 190_007},n${i % 997},${i % 50}\n`,
  ).join('');
  const all: BuildTestOptions = {
    kind: 'csv',
    inputFormat: 'ipv4-int',
    header: false,
    columnNames: ['name', 'number'],
  };
  for (const options of [all, { ...all, includeIpRange: true }, { ...all, chunkBytes: 70_001 }]) {
    const expected = attempt(csv, { ...options, ...WITHOUT_ENGINE });
    for (const engineFromBytes of [0, 100_000])
      expect(attempt(csv, { ...options, engineFromBytes })).toEqual(expected);
  }
});

test('rows with their addresses that are encoded when they are read, in several pieces', () => {
  const widths = [1, 9, 10, 99, 100, 255].flatMap((a) => [0, 10, 100].map((b) => (a << 8) | b));
  const csv = Array.from({ length: 40_000 }, (_, i) => {
    const first = i * 100_000 + widths[i % widths.length]!;
    return `${first},${first + (i % 1000)},n${i % 997}${i % 5000 === 0 ? `,${i}` : ',x'}\n`;
  }).join('');
  const all: BuildTestOptions = {
    ...{ inputFormat: 'ipv4-int', header: false, columnNames: ['name', 'mark'] },
    includeIpRange: true,
  };
  const expected = attempt(csv, { ...all, ...WITHOUT_ENGINE });
  expect(attempt(csv, { ...all, engineFromBytes: 0 })).toEqual(expected);
});

test.each([
  ['ipv4-int', 10],
  ['ipv6-int', 39],
] as const)('%s: numbers with any number of digits, and what is not quite a number', (inputFormat, most) => {
  const digits = (most: number) =>
    fc
      .tuple(fc.nat(most), fc.bigInt(0n, 10n ** BigInt(most) - 1n))
      .map(([count, number]) => String(number).padStart(most, '1').slice(0, count));
  // In Latin-1, the last one is as far from a digit as its high bit.
  const other = fc.constantFrom('', '', '', '/', ':', '"', ' ', 'x', 'é', '\u00b5');
  const number = fc
    .tuple(fc.constantFrom('', '0', '0'.repeat(50)), digits(most + 2), other, digits(9))
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.array(number, { minLength: 1, maxLength: 40 }), (numbers) => {
      const csv = Buffer.from(numbers.map((each) => `${each},${each},x\n`).join(''), 'latin1');
      const all = { inputFormat, header: false, columnNames: ['name'] };
      for (const skipInvalid of [false, true])
        expect(attempt(csv, { ...all, skipInvalid, engineFromBytes: 0 })).toEqual(
          attempt(csv, { ...all, skipInvalid, ...WITHOUT_ENGINE }),
        );
    }),
    { numRuns: runs(200) },
  );
});

test('another reader finds the values of each row of a build by the engine at its ends, and none beside it', () => {
  const rows = Array.from({ length: 3_000 }, (_, i) => ({ first: i * 1_000_001 + 1, name: `n${i % 97}` }));
  const csv = rows.map(({ first, name }) => `${first},${first + 70_006},${name}\n`).join('');
  const options: BuildTestOptions = { inputFormat: 'ipv4-int', header: false, columnNames: ['name'] };
  const reader = new Reader<Record<string, never>>(build(csv, { ...options, engineFromBytes: 0 }).bytes);
  const at = (address: number) =>
    reader.get([24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join('.'));
  for (const { first, name } of rows) {
    expect([at(first), at(first + 70_006)]).toEqual([{ name }, { name }]);
    expect([at(first - 1), at(first + 70_007)]).toEqual([null, null]);
  }
});

test('a computer that cannot run the engine builds without it', () => {
  const { WebAssembly } = globalThis as unknown as { WebAssembly: { Memory: unknown } };
  const { Memory } = WebAssembly;
  let attempts = 0;
  WebAssembly.Memory = class {
    constructor() {
      attempts++;
      throw new RangeError('could not allocate memory');
    }
  };
  try {
    const options: BuildTestOptions = { inputFormat: 'ipv4-int', header: false, columnNames: ['name'] };
    const csv = '1,2,a\n3,4,b\n';
    expect(attempt(csv, { ...options, engineFromBytes: 0 })).toEqual(
      attempt(csv, { ...options, ...WITHOUT_ENGINE }),
    );
  } finally {
    WebAssembly.Memory = Memory;
  }
  expect(attempts).toBe(2);
});

test('violations keep their lines', () => {
  const rows = (from: number): string =>
    Array.from({ length: 40 }, (_, i) => `${from + i},${from + i},a\n`).join('');
  const options: BuildTestOptions = {
    ...{ inputFormat: 'ipv4-int', header: false, columnNames: ['name'] },
    engineFromBytes: 0,
  };
  const [first, second] = violationsOf(
    `${rows(0)}x,1,a\n"50","50","two\nlines"\n${rows(100)}9,8,a\n`,
    options,
  );
  expect([first, second]).toEqual([expect.stringContaining('41'), expect.stringContaining('84')]);
});
