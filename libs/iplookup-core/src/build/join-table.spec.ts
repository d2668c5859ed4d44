import fc from 'fast-check';
import { build, violationsOf } from '../../test/build-in-memory.js';
import { openLookup } from '../mmdb/open-lookup.js';
import { type JoinKey, parseJoinTable } from './join-table.js';

const ON_ID: JoinKey = { column: 'id', rowColumn: 'id', prefix: '' };
const table = (csv: string, key: Partial<JoinKey> = {}) =>
  parseJoinTable(Buffer.from(csv), 'places.csv', { ...ON_ID, ...key });

const PLACES = 'id,country,"city, town"\n7,CZ,"Brno ""centre"""\n8,DE,\n';
const BLOCKS = 'network,id,seat\n10.0.0.0/8,7,8\n11.0.0.0/8,8,\n12.0.0.0/8,9,7\n13.0.0.0/8,,\n';

test('the columns of the joined file are added to the rows that refer to it', () => {
  const { bytes, counts } = build(BLOCKS, { inputFormat: 'cidr', joins: [table(PLACES)] });
  const find = (ip: string) => openLookup(bytes).find(ip);
  expect(find('10.0.0.1')).toEqual({ id: '7', seat: '8', country: 'CZ', 'city, town': 'Brno "centre"' });
  expect(find('11.0.0.1')).toEqual({ id: '8', country: 'DE' });
  expect(find('12.0.0.1')).toEqual({ id: '9', seat: '7' });
  expect(find('13.0.0.1')).toEqual({});
  expect(counts.missingKeys).toEqual([{ file: 'places.csv', column: 'id', count: 1, keys: ['9'] }]);
});

test('one file can be joined twice, by another column, with a prefix; its columns are columns like others', () => {
  const seat = table(PLACES, { rowColumn: 'seat', prefix: 'seat_' });
  const { bytes } = build(BLOCKS, {
    inputFormat: 'cidr',
    joins: [table(PLACES), seat],
    keepColumns: ['country', 'seat_country'],
    rename: [['seat_country', 'registered']],
    set: [['source', 'x']],
  });
  const lookup = openLookup(bytes);
  expect(lookup.find('10.0.0.1')).toEqual({ country: 'CZ', registered: 'DE', source: 'x' });
  expect(lookup.find('12.0.0.1')).toEqual({ registered: 'CZ', source: 'x' });
});

test('an empty key matches no row, and may be there more than once', () => {
  const joins = [table('id,country\n,AA\n7,CZ\n,BB\n')];
  const { bytes, counts } = build('network,id\n10.0.0.0/8,7\n11.0.0.0/8,\n', { inputFormat: 'cidr', joins });
  expect(openLookup(bytes).find('10.0.0.1')).toEqual({ id: '7', country: 'CZ' });
  expect(openLookup(bytes).find('11.0.0.1')).toEqual({});
  expect(counts.missingKeys).toEqual([]);
});

test('cells of joined files have types', () => {
  const typed = { inputFormat: 'cidr', columnTypes: [['size', 'uint32']] } as const;
  const joins = [table('id,size\n7,12\n8,many\n')];
  const { bytes } = build('network,id\n10.0.0.0/8,7\n', { ...typed, joins });
  expect(openLookup(bytes).find('10.0.0.1')).toEqual({ id: '7', size: 12 });
  expect(violationsOf('network,id\n10.0.0.0/8,7\n11.0.0.0/8,8\n', { ...typed, joins })).toEqual([
    'input.csv: row 3, column size: "many" is not a whole number from 0 on',
  ]);
});

test.each([
  ['', 'places.csv: is empty: its first row must hold the column names'],
  ['id,b,id\n', 'places.csv: row 1, column 3: "id" is the name of two columns'],
  ['sep=,\nid,b,c,b\n', 'places.csv: row 2, column 4: "b" is the name of two columns'],
  ['id,,c\n', 'places.csv: row 1, column 2: the column has no name'],
  ['id,b\r7,x\r', 'places.csv: row 1, column 2: "b\\r7" has a line break that is only a carriage return'],
  ['a,b\n', 'places.csv: row 1: has no column "id"; it has a, b'],
  [
    'id,b\n1,x\n\n1,y\n',
    'places.csv: row 4, column id: "1" is already the key of row 2: keys must be unique',
  ],
  ['id,b\n1,"x\ny"\n2\n', 'places.csv: row 4, column id: "2" is in a row of 1 columns, but 2 are expected'],
  ['id,b\n1,"x\n', 'places.csv: row 2: has an unclosed quote, or text after a closing one'],
])('%j cannot be joined', (csv, message) => {
  expect(() => table(csv)).toThrow(message);
});

test('columns that do not fit are named with the remedy', () => {
  const refusal = (joins: ReturnType<typeof table>[]) =>
    violationsOf(BLOCKS, { inputFormat: 'cidr', joins })[0];
  expect(refusal([table(PLACES, { rowColumn: 'place' })])).toContain(
    'refers to "place", which is not a value column',
  );
  expect(refusal([table('id,seat\n7,x\n')])).toContain(
    'adds the column "seat", but a column of this name exists: use a prefix',
  );
});

test('semicolons by Excel’s first line, a byte order mark, and line breaks in cells are read', () => {
  const { rows, columns } = table('\ufeffsep=;\r\nid;note\r\n1;"two\r\nlines"\r\n');
  expect([columns, [...rows]]).toEqual([['note'], [['1', ['two\r\nlines']]]]);
});

test('any rows agree with a join by hand', () => {
  const key = fc.constantFrom('', '1', '2', '3', 'x y', 'ä');
  const cell = fc.constantFrom('', 'a', 'b,c', 'd"e');
  const places = fc.uniqueArray(fc.tuple(key, cell, cell), { selector: ([id]) => id });
  const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const csvOf = (rows: readonly (readonly string[])[]) =>
    rows.map((row) => row.map(quote).join(',')).join('\n');
  fc.assert(
    fc.property(places, fc.array(fc.tuple(key, cell), { maxLength: 6 }), (joined, rows) => {
      const blocks = rows.map(([id, own], index) => [`10.${index}.0.0/16`, id, own]);
      const { bytes } = build(csvOf([['network', 'id', 'own'], ...blocks]), {
        inputFormat: 'cidr',
        joins: [table(csvOf([['id', 'p', 'q'], ...joined]))],
      });
      for (const [index, [id, own]] of rows.entries()) {
        const place = joined.find(([each]) => each === id && id !== '');
        const all = Object.entries({ id, own, p: place?.[1] ?? '', q: place?.[2] ?? '' });
        const expected = Object.fromEntries(all.filter(([, text]) => text !== ''));
        const found = openLookup(bytes).find(`10.${index}.3.4`);
        expect(found ?? {}).toEqual(expected);
      }
    }),
    { numRuns: 100 },
  );
});
