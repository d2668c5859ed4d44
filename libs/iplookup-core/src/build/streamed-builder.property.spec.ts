import fc from 'fast-check';
import { build, type Built, type BuildTestOptions } from '../../test/build-in-memory.js';
import { buildInThreads, type ThreadTestOptions } from '../../test/build-in-threads.js';
import { runs } from '../../test/property-runs.js';
import { CHUNK_ROWS } from '../rows/row-store.js';
import { LookupInputError } from './input-violations.js';

/** The lookup and counts, the violations, or `undefined` for rows that do not fit. */
function attempt(run: () => Built | undefined): unknown {
  try {
    const built = run();
    return built && { bytes: built.bytes.toString('latin1'), counts: built.counts };
  } catch (error) {
    if (error instanceof LookupInputError) return error.message.split('\n');
    throw error;
  }
}

const WITHOUT_ENGINE = { engineFromBytes: Infinity };
const MAPPED = 0xffffn << 32n;
const max = (bits: number): bigint => (1n << BigInt(bits)) - 1n;

/** Among them are texts that look like rows in the middle of a cell. */
const cells = fc.constantFrom(
  '',
  '-',
  '1.5',
  '-0.000000',
  'é',
  '"a ""quoted"" one"',
  '"two\nlines"',
  '"two\n5,6,lines,x\n7,8,y"',
  '"a,b"',
  'long '.repeat(9),
);
const texts = fc.array(fc.tuple(cells, cells), { minLength: 6, maxLength: 6 });

/** Lines that are blank, or not valid. */
const invalid = ['', '\r', '7', '5,3,a,1', '1,x,a,1', '1,2,a', '1,2,"a"b,1', '1,2,a,"two\nlines",3'];

/** Lines before rows; the last one is a row that does not fit. */
const odd = fc.constantFrom(...invalid, '1,2 ,a,1');

/** Ascending rows of repeated texts, from an address on. */
function rowsFrom(start: bigint, bits: number, isValid: boolean): fc.Arbitrary<string> {
  const size = fc.oneof(fc.constant(0n), fc.bigInt(0n, 300n), fc.bigInt(0n, max(bits - 6)));
  const row = fc.record({
    gap: size,
    size,
    text: fc.nat(5),
    odd: isValid ? fc.constant(null) : fc.option(odd, { freq: 6 }),
    line: fc.constantFrom('\n', '\r\n'),
    isQuoted: fc.boolean(),
  });
  return fc.tuple(texts, fc.array(row, { maxLength: 40 })).map(([known, rows]) => {
    let at = start;
    const lines = rows.flatMap(({ gap, size, text, odd, line, isQuoted }) => {
      const first = at + gap;
      const last = first + size;
      if (last > start + max(bits)) return [];
      at = last + 1n;
      const range = isQuoted ? `"${first}","${last}"` : `${first},${last}`;
      return [`${odd === null ? '' : `${odd}${line}`}${range},${known[text]!.join(',')}${line}`];
    });
    return lines.join('');
  });
}

/** Sometimes with rows behind IPv4, and IPv4 rows after IPv6 rows. */
const ipv6 = (isValid: boolean): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom('', '', '0,281470681743359,-,-\n', '0,4294967295,a,b\n5,281474976710656,c,d\n'),
      rowsFrom(1n << 33n, 40, isValid),
      rowsFrom(MAPPED, 32, isValid),
      rowsFrom(0x2001n << 112n, 125, isValid),
      fc.constantFrom('', '', '', `${MAPPED},${MAPPED + 1n},z,z\n`),
    )
    .map((parts) => parts.join(''));

const options = fc.record({
  skipInvalid: fc.boolean(),
  includeIpRange: fc.boolean(),
  emptyRows: fc.constantFrom(undefined, 'all' as const, 'any' as const),
  types: fc.boolean(),
  strict: fc.boolean(),
  header: fc.boolean(),
  isOpen: fc.boolean(),
});

const threads = fc.record({
  blockBytes: fc.constantFrom(1, 2, 7, 20, 64, 200, 1000, 1 << 20),
  isOther: fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }),
  ahead: fc.array(fc.nat(3), { minLength: 1, maxLength: 4 }),
});

test.each([
  ['ipv4-int', rowsFrom(0n, 32, false)],
  ['ipv4-int', rowsFrom(0n, 32, true)],
  ['ipv6-int', ipv6(false)],
  ['ipv6-int', ipv6(true)],
] as const)('%s: bytes, counts and violations are those of one thread without the engine', (format, file) => {
  fc.assert(
    fc.property(file, options, threads, (rows, { emptyRows, header, isOpen, ...chosen }, division) => {
      const all: BuildTestOptions = {
        inputFormat: format,
        ...(header ? {} : { header: false, columnNames: ['latitude', 'name'] }),
        ...(emptyRows === undefined ? {} : { emptyRows }),
        ...chosen,
      };
      const text = `${header ? 'ip_from,ip_to,latitude,name\n' : ''}${rows}`;
      const csv = isOpen ? text.trimEnd() : text;
      const result = attempt(() => buildInThreads(csv, { ...all, ...division }));
      // Rows that do not fit the streamed builder compare nothing: others are tried instead.
      fc.pre(result !== undefined);
      expect(result).toEqual(attempt(() => build(csv, { ...all, ...WITHOUT_ENGINE })));
    }),
    { numRuns: runs(150), maxSkipsPerRun: 2 },
  );
});

/** Numbered rows, with other lines before some of them. */
function numbered(count: number, before: ReadonlyMap<number, string>): string {
  return Array.from(
    { length: count },
    (_, i) => `${before.get(i) ?? ''}${i * 100_001},${i * 100_001 + 90_007},n${i % 997},${i % 50}\n`,
  ).join('');
}

const NUMBERED: BuildTestOptions = {
  ...{ inputFormat: 'ipv4-int', header: false, columnNames: ['name', 'number'] },
};
const DIVISION = { blockBytes: 70_001, isOther: [true, true, false], ahead: [2, 0] };

function expectSame(csv: string, all: BuildTestOptions, division: Partial<ThreadTestOptions> = {}): void {
  const result = attempt(() => buildInThreads(csv, { ...all, ...DIVISION, ...division }));
  expect(result).toBeDefined();
  expect(result).toEqual(attempt(() => build(csv, { ...all, engineFromBytes: 0 })));
}

test('lines that are not valid rows, on both sides of the ends of blocks and of arrays of rows', () => {
  const place = fc.oneof(
    fc.integer({ min: CHUNK_ROWS - 9, max: CHUNK_ROWS + 9 }),
    fc.integer({ min: 2_000, max: 2_400 }),
  );
  fc.assert(
    fc.property(
      fc.array(fc.tuple(place, fc.constantFrom(...invalid)), { maxLength: 30 }),
      fc.boolean(),
      fc.boolean(),
      fc.constantFrom(60_000, 70_001, 1 << 20),
      (lines, skipInvalid, includeIpRange, blockBytes) => {
        const before = new Map(lines.map(([row, line]) => [row, `${line}\n`]));
        const csv = numbered(CHUNK_ROWS + 3000, before);
        expectSame(csv, { ...NUMBERED, skipInvalid, includeIpRange }, { blockBytes });
      },
    ),
    { numRuns: 8 },
  );
});

test('more than the rows of a piece, with short rows', () => {
  const csv = Array.from({ length: 60_000 }, (_, i) => `${2 * i},${2 * i},${i % 3}\n`).join('');
  expectSame(csv, { ...NUMBERED, columnNames: ['a'] }, { blockBytes: 300_000, isOther: [true] });
});

test('IPv4 rows, then IPv6 rows, both in several arrays', () => {
  const csv = [MAPPED, 0x2001n << 112n]
    .flatMap((start) =>
      Array.from({ length: 20_000 }, (_, i) => {
        const first = start + BigInt(i) * 200_001n;
        return `${first},${first + 190_007n},n${i % 997},${i % 50}\n`;
      }),
    )
    .join('');
  for (const includeIpRange of [false, true])
    expectSame(csv, { ...NUMBERED, inputFormat: 'ipv6-int', includeIpRange });
});

test("texts that the engine leaves to JavaScript, MaxMind's nested records, and constants", () => {
  const columnNames = ['country_code', 'city_name', 'latitude', 'longitude'];
  const csv = Array.from(
    { length: 300 },
    (_, i) => `${3 * i},${3 * i + 1},DE,Köln ${i % 7},5.5,${i}.25\n`,
  ).join('');
  for (const more of [{}, { schema: 'geoip2' as const }, { set: [['source', 'x'] as const] }])
    expectSame(csv, { ...NUMBERED, columnNames, ...more }, { blockBytes: 500 });
});

test('a separator that the file declares', () => {
  const csv = `sep=;\n${'1;2;a;b\n3;4;c;d\n'}${numbered(200, new Map()).replaceAll(',', ';').replaceAll(/^\d/gm, '9$&')}`;
  const all = { ...NUMBERED, skipInvalid: true };
  const result = attempt(() => buildInThreads(csv, { ...all, ...DIVISION, blockBytes: 300 }));
  expect(result ?? attempt(() => build(csv, all))).toEqual(attempt(() => build(csv, all)));
});

test.each([
  ['not sorted', '5,6,a,1\n3,4,a,1\n', 'ipv4-int'],
  ['overlapping', '5,6,a,1\n6,7,a,1\n', 'ipv4-int'],
] as const)('rows that do not fit: %s', (_, csv, inputFormat) => {
  expect(buildInThreads(csv, { ...NUMBERED, ...DIVISION, inputFormat })).toBeUndefined();
});
