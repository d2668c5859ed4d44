import fc from 'fast-check';
import { build, type BuildTestOptions } from '../../test/build-in-memory.js';
import { runs } from '../../test/property-runs.js';
import { LookupInputError } from '../build/input-violations.js';

/** The lookup and counts, or the violations. */
function attempt(csv: string, options: BuildTestOptions): unknown {
  try {
    const { bytes, counts } = build(csv, options);
    return { bytes: bytes.toString('latin1'), counts };
  } catch (error) {
    if (error instanceof LookupInputError) return error.message.split('\n');
    throw error;
  }
}

const number = fc.oneof(
  fc.constantFrom('0', '0.0', '-0.000000', '0.', '.0', '00.5', '1e3', '+1.5', '-', '', '--', '5'),
  fc.constantFrom('123456789012345.5', '12345678901234.5', '0.000000000000001', '-90.0', '1.2.3', '1-2.0'),
  fc.double({ min: -180, max: 180, noNaN: true }).map((value) => value.toFixed(6)),
);

/** Around the lengths from which on a text's length takes more bytes, and a vector. */
const length = fc.constantFrom(1, 2, 15, 16, 17, 28, 29, 31, 32, 33, 284, 285, 286, 700);
const name = fc.oneof(
  fc.constantFrom('', '-', ' ', 'é', '\r', '0.0', 'a,b', 'a"b', '"', 'two\nlines', '\u007f'),
  fc.tuple(fc.constantFrom('a', 'b'), length).map(([letter, count]) => letter.repeat(count)),
  fc.string({ maxLength: 40 }),
);

const quote = (cell: string, always: boolean): string =>
  always || /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;

const row = fc
  .tuple(
    number,
    name,
    name,
    fc.boolean(),
    fc.constantFrom('\n', '\r\n'),
    fc.constantFrom('', '', '', ',x', 'x'),
  )
  .map(
    ([latitude, first, second, quoted, line, more]) =>
      `,${[latitude, first, second].map((cell) => quote(cell, quoted)).join(',')}${more}${line}`,
  );

const file = fc
  .array(row, { minLength: 1, maxLength: 60 })
  .map((rows) => rows.map((text, i) => `${2 * i},${2 * i}${text}`).join(''));

const options = fc.record(
  {
    kind: fc.constantFrom('csv' as const, 'vendor' as const),
    skipInvalid: fc.boolean(),
    types: fc.boolean(),
    keepEmptyRows: fc.boolean(),
    emptyRows: fc.constantFrom('all' as const, 'any' as const),
    dropColumns: fc.constantFrom(['city'], ['latitude', 'zip'], ['city', 'zip']),
    set: fc.constant([['source', 'x'] as const]),
    columnTypes: fc.constantFrom([['zip', 'double'] as const], [['zip', 'uint16'] as const]),
    schema: fc.constant('flat' as const),
    includeIpRange: fc.boolean(),
    chunkBytes: fc.constantFrom(50, 1000),
  },
  { requiredKeys: ['kind', 'skipInvalid'] },
);

test('values read by the engine are those that are read in JavaScript', () => {
  fc.assert(
    fc.property(file, options, fc.nat(600), (csv, chosen, engineFromBytes) => {
      const { kind, keepEmptyRows, ...rest } = chosen;
      const all: BuildTestOptions = {
        ...rest,
        kind,
        inputFormat: 'ipv4-int',
        columnNames: ['latitude', 'city', 'zip'],
        ...(kind === 'csv' ? { header: false } : {}),
        ...(keepEmptyRows === undefined || rest.emptyRows !== undefined ? {} : { keepEmptyRows }),
      };
      expect(attempt(csv, { ...all, engineFromBytes })).toEqual(
        attempt(csv, { ...all, engineFromBytes: Infinity }),
      );
    }),
    { numRuns: runs(200) },
  );
});

test('a header that ends after the engine has started', () => {
  const csv = `ip_from,ip_to,name,city\n${'1,1,a,b\n2,2,c,-\n'}`;
  const all: BuildTestOptions = { inputFormat: 'ipv4-int', chunkBytes: 3 };
  expect(attempt(csv, { ...all, engineFromBytes: 0 })).toEqual(
    attempt(csv, { ...all, engineFromBytes: Infinity }),
  );
});

test('more columns than the engine has room for', () => {
  const columnNames = Array.from({ length: 65 }, (_, i) => `c${i}`);
  const csv = [1, 2, 3]
    .map((i) => `${i},${i},${columnNames.map((name) => `${name}-${i % 2}`).join(',')}\n`)
    .join('');
  const all: BuildTestOptions = { inputFormat: 'ipv4-int', header: false, columnNames };
  expect(attempt(csv, { ...all, engineFromBytes: 0 })).toEqual(
    attempt(csv, { ...all, engineFromBytes: Infinity }),
  );
});
