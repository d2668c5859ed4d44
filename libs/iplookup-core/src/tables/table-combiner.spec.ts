import fc from 'fast-check';
import { TableCombiner } from './table-combiner.js';

const COMMA = 44;

/** @param step bytes that are passed on at once */
function combine(files: readonly (string | Buffer)[], step = 1 << 21) {
  const combiner = new TableCombiner(COMMA);
  const pieces: Buffer[] = [];
  for (const [index, text] of files.entries()) {
    combiner.begin(`${index + 1}.csv`);
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += step)
      pieces.push(Buffer.from(combiner.push(bytes.subarray(at, at + step))));
    pieces.push(Buffer.from(combiner.end()));
  }
  return { text: Buffer.concat(pieces).toString(), places: combiner.places };
}

test('columns of later files are matched by name, and lines keep their places', () => {
  const { text, places } = combine([
    '\ufeffnetwork,a,b\r\n10.0.0.0/8,1,2\r\n',
    'b,network,a\n\n"x, y","11.0.0.0/8","q\n""z"""',
    'sep=,\nnetwork,a,b\n12.0.0.0/8,5,6\n\n',
  ]);
  expect(text).toBe(
    'network,a,b\n10.0.0.0/8,1,2\n\n\n"11.0.0.0/8","q\n""z""","x, y"\n\n\n12.0.0.0/8,5,6\n\n',
  );
  expect([2, 5, 9].map((line) => places.of(line))).toEqual([
    { file: '1.csv', row: 2 },
    { file: '2.csv', row: 3 },
    { file: '3.csv', row: 3 },
  ]);
  expect(places.describe(9)).toBe('3 of 3.csv');
});

test('rows with a wrong number of columns are left to the builder', () => {
  expect(combine(['a,b\n1\n', 'b,a\n1,2,3\n']).text).toBe('a,b\n1\n\n1,2,3\n');
});

test.each<[string, readonly (string | Buffer)[], string]>([
  ['an open quote', ['n,a\n1,"a\n'], '1.csv: row 2: "1,\\"a" a quote is not closed'],
  ['text after a quote', ['n,a\n1,"a"b'], '1.csv: row 2: "1,\\"a\\"b" text follows a closing quote'],
  [
    'a row without end',
    ['n,a\n', `n,a\n1,${'a'.repeat(3 << 20)}`],
    '2.csv: row 2: the row is longer than 1 MiB',
  ],
  ['UTF-16', ['n,a\n', Buffer.from('n,a\n', 'utf16le')], '2.csv: row 1: is UTF-16 text: save it as UTF-8'],
  ['another separator', ['sep=;\nn;a\n'], '1.csv: row 1: names a separator other than the one of all files'],
  ['a column missing', ['n,a\n', 'n,b\n'], '2.csv: row 1: has no column "a", which 1.csv has'],
  [
    'a column more',
    ['n,a\n', 'n,a,b\n'],
    '2.csv: row 1, column 3: "b" is not a column of 1.csv, or occurs twice',
  ],
])('%s is an error that names its place', (_what, files, message) => {
  expect(() => combine(files)).toThrow(message);
});

test('the rows are those of all files, by the names of columns, however the bytes are split', () => {
  const cell = fc.constantFrom('', 'a', 'é', 'x, y', '"', '1');
  const file = fc.record({
    order: fc.shuffledSubarray([0, 1, 2], { minLength: 3 }),
    rows: fc.array(fc.tuple(cell, cell, cell), { maxLength: 5 }),
  });
  const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  fc.assert(
    fc.property(
      fc.array(file, { minLength: 1, maxLength: 3 }),
      fc.integer({ min: 1, max: 40 }),
      (files, step) => {
        const texts = files.map(({ order, rows }) =>
          [['k', 'v', 'w'], ...rows].map((row) => order.map((index) => quote(row[index]!)).join()).join('\n'),
        );
        const first = files[0]!.order;
        const expected = files.flatMap(({ rows }) =>
          rows.map((row) => first.map((index) => quote(row[index]!)).join()),
        );
        const [header, ...rows] = combine(texts, step).text.split('\n').filter(Boolean);
        expect(header).toBe(first.map((index) => 'kvw'[index]).join());
        expect(rows).toEqual(expected);
      },
    ),
  );
});
