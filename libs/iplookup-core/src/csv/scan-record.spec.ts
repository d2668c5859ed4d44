import { parseString, writeToString } from 'fast-csv';
import fc from 'fast-check';
import { CellReader } from './cell-reader.js';
import { FieldBounds, INCOMPLETE, scanRecord, TEXT_AFTER_QUOTE, UNCLOSED_QUOTE } from './scan-record.js';

function scan(text: string, separator = ','): string[][] {
  const bytes = Buffer.from(`${text}\n`);
  const length = bytes.length - 1;
  const fields = new FieldBounds();
  const cells = new CellReader(bytes, fields);
  const records: string[][] = [];
  for (let p = 0; p < length;) {
    p = scanRecord(bytes, p, length, true, separator.charCodeAt(0), fields);
    if (p < 0) throw new Error(String(p));
    records.push(cells.texts());
  }
  return records;
}

function reference(text: string, delimiter = ','): Promise<string[][]> {
  return new Promise((resolve, reject) => {
    const rows: string[][] = [];
    parseString(text, { delimiter })
      .on('error', reject)
      .on('data', (row: string[]) => rows.push(row))
      .on('end', () => resolve(rows));
  });
}

test.each([
  ['a,b', [['a', 'b']]],
  [
    'a,b\r\nc,d\r\n',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  [
    'a,\n,b',
    [
      ['a', ''],
      ['', 'b'],
    ],
  ],
  ['"a,b","c""d"', [['a,b', 'c"d']]],
  ['"","""",""""""', [['', '"', '""']]],
  ['"a\r\nb",c\nd', [['a\r\nb', 'c'], ['d']]],
  [' a , "b"', [[' a ', ' "b"']]],
  ['a"b,c', [['a"b', 'c']]],
  ['a\rb,c\r', [['a\rb', 'c']]],
])('%p', (text, records) => {
  expect(scan(text)).toEqual(records);
});

test('what fast-csv writes is read as fast-csv reads it', async () => {
  const cell = fc
    .array(fc.constantFrom('a', 'b', ' ', ',', ';', '"', '\r', '\n', 'é', '😀'))
    .map((characters) => characters.join('').trim());
  const table = fc
    .integer({ min: 2, max: 5 })
    .chain((width) =>
      fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 8 }),
    );
  await fc.assert(
    fc.asyncProperty(
      table,
      fc.constantFrom(',', ';'),
      fc.boolean(),
      fc.constantFrom('\n', '\r\n'),
      async (rows, delimiter, quoteColumns, rowDelimiter) => {
        const text = await writeToString(rows, { delimiter, quoteColumns, rowDelimiter });
        expect(scan(text, delimiter)).toEqual(await reference(text, delimiter));
        expect(scan(text, delimiter)).toEqual(rows);
      },
    ),
    { numRuns: 300 },
  );
});

test.each([
  ['a,"b', UNCLOSED_QUOTE],
  ['a,"b""', UNCLOSED_QUOTE],
  ['a,"b"c', TEXT_AFTER_QUOTE],
  ['a,"b" ,c', TEXT_AFTER_QUOTE],
])('%p is no record', (text, code) => {
  expect(() => scan(text)).toThrow(String(code));
});

test('a record is incomplete until its line break is there', () => {
  const fields = new FieldBounds();
  const whole = Buffer.from('a,"b\nc"\r\nd');
  const ends = Array.from(whole, (_, end) => scanRecord(whole, 0, end + 1, false, 44, fields));
  expect(ends.slice(0, 8).every((end) => end === INCOMPLETE || end === UNCLOSED_QUOTE)).toBe(true);
  expect(ends.slice(8)).toEqual([9, 9]);
});
