import fc from 'fast-check';
import { parseCsvRows } from './parse-csv.js';

test('cells may be quoted, with commas, quotes and line breaks in them', () => {
  expect(parseCsvRows('\uFEFFa,b\r\n1,"x, ""y""\nz"\r\n\r\n,\n2,""\n')).toEqual([
    { a: '1', b: 'x, "y"\nz' },
    { a: '2', b: '' },
  ]);
  expect(parseCsvRows('a,b\n1,')).toEqual([{ a: '1', b: '' }]);
});

test.each([
  ['a;b\n"1;2";3,4\n', { a: '1;2', b: '3,4' }],
  ['a\tb\n1\t2\n', { a: '1', b: '2' }],
  ['a\n1;2\n', { a: '1;2' }],
])('%j: the header shows what separates cells', (text, row) => {
  expect(parseCsvRows(text)).toEqual([row]);
});

test.each([
  ['', 'line 1: it has no header'],
  ['a,a\n', 'line 1: two columns have the same name'],
  ['a,b\n1,2\n1,2,3\n', 'line 3: it has 3 cells, but the header has 2'],
  ['a,b\n"x\ny",1\n2\n', 'line 4: it has 1 cells, but the header has 2'],
  ['a\n"x', 'line 2: a quoted cell is not closed'],
  ['a\n"x"y\n', 'line 2: text follows a quoted cell'],
])('%j is rejected: %s', (text, message) => {
  expect(() => parseCsvRows(text)).toThrow(message);
});

test('whatever is written by RFC 4180 is read back', () => {
  const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string({ minLength: 1 }), fc.string()), { maxLength: 5 }), (rows) => {
      const text = ['a,b', ...rows.map((row) => row.map(quoted).join(','))].join('\r\n');
      expect(parseCsvRows(text)).toEqual(rows.map(([a, b]) => ({ a, b })));
    }),
  );
});

test('a cell of megabytes is read', () => {
  const cell = 'x""'.repeat(1_000_000);
  expect(parseCsvRows(`a\n"${cell}"`)[0]?.['a']).toHaveLength(2_000_000);
});

test('a header of two million columns is rejected', () => {
  expect(() => parseCsvRows(','.repeat(2_000_000))).toThrow('line 1: it has more than 500 columns');
});
