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

test('text written by fast-csv is read like by fast-csv', async () => {
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
])('%p is not a record', (text, code) => {
  expect(() => scan(text)).toThrow(String(code));
});

test('a record is incomplete until its line break is there', () => {
  const fields = new FieldBounds();
  const whole = Buffer.from('a,"b\nc"\r\nd');
  const ends = Array.from(whole, (_, end) => scanRecord(whole, 0, end + 1, false, 44, fields));
  expect(ends.slice(0, 8).every((end) => end === INCOMPLETE || end === UNCLOSED_QUOTE)).toBe(true);
  expect(ends.slice(8)).toEqual([9, 9]);
});

test.each([
  ['"a"', '"x', ['a']],
  ['a,', '"x', ['a', '']],
  ['a\r', 'x', ['a']],
  ['a', '\n', ['a']],
])('bytes beyond the end are not read: %p before %p', (text, behind, cells) => {
  const bytes = Buffer.from(text + behind);
  const fields = new FieldBounds();
  expect(scanRecord(bytes, 0, text.length, true, 44, fields)).toBe(text.length);
  expect(new CellReader(bytes, fields).texts()).toEqual(cells);
});

test('a CR after a closing quote needs its LF', () => {
  expect(() => scan('a,"b"\rc')).toThrow(String(TEXT_AFTER_QUOTE));
});

test('a record may have hundreds of fields, some of them quoted, and long ones', () => {
  const cells = Array.from({ length: 300 }, (_, index) => `${index}"${'x'.repeat(index * 7)}`);
  const text = cells
    .map((cell, index) => (index % 3 === 0 ? `"${cell.replace('"', '""')}"` : cell))
    .join(',');
  expect(scan(text)).toEqual([cells]);
});

test('the first cell with invalid UTF-8 is reported, if any', () => {
  const bytes = Buffer.concat([Buffer.from('é,b,'), Buffer.of(0xff), Buffer.from(',d\n')]);
  const fields = new FieldBounds();
  const cells = new CellReader(bytes, fields);
  scanRecord(bytes, 0, bytes.length, true, 44, fields);
  expect(cells.invalidUtf8()).toBe(2);
  scanRecord(bytes, 0, 4, true, 44, fields);
  expect(cells.invalidUtf8()).toBe(-1);
});
