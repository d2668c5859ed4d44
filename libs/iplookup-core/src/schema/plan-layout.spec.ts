import fc from 'fast-check';
import { build, violationsOf } from '../../test/build-in-memory.js';
import { openLookup } from '../mmdb/open-lookup.js';
import type { BuildOptions } from '../build/build-options.js';

const CSV = 'ip_from,ip_to,country,asn,hosting,lat\n1.0.0.0,1.0.0.255,AU,AS13335,true,1.50\n';
const find = (csv: string, options: Partial<BuildOptions>) =>
  openLookup(build(csv, options).bytes).find('1.0.0.1');

test('columns are kept, renamed, typed and added; options name them as the file does', () => {
  const record = find(CSV, {
    keepColumns: ['asn', 'hosting', 'lat'],
    rename: [
      ['asn', 'number'],
      ['lat', 'asn'],
    ],
    columnTypes: [
      ['asn', 'asn'],
      ['hosting', 'boolean'],
      ['lat', 'double'],
      ['level', 'uint16'],
    ],
    set: [
      ['source', 'DB-IP, CC BY 4.0'],
      ['level', '3'],
    ],
  });
  expect(record).toEqual({ number: 13335, hosting: true, asn: 1.5, source: 'DB-IP, CC BY 4.0', level: 3 });
});

test('names and constants find their place in MaxMind’s records', () => {
  const options = {
    schema: 'geoip2',
    dropColumns: ['hosting'],
    rename: [
      ['country', 'registered_country.iso_code'],
      ['lat', 'latitude'],
    ],
    set: [['continent.code', 'OC']],
  } as const;
  expect(find(CSV, options)).toEqual({
    registered_country: { iso_code: 'AU' },
    traits: { autonomous_system_number: 13335 },
    location: { latitude: 1.5 },
    continent: { code: 'OC' },
  });
});

test('a constant alone does not count as a value', () => {
  const csv = '"0","9","-"\n"16777216","16777471","AU"\n';
  const vendor = { kind: 'vendor', inputFormat: 'ipv4-int', columnNames: ['country'] } as const;
  const { counts } = build(csv, { ...vendor, set: [['source', 'a']] });
  expect(counts).toMatchObject({ kept: 1, dropped: 1 });
  expect(find(csv, { ...vendor, set: [['source', 'a']] })).toEqual({ country: 'AU', source: 'a' });
});

test.each<[string, Partial<BuildOptions>, string]>([
  ['keep', { keepColumns: ['city'] }, '--keep-columns names "city", which is not a value column'],
  ['rename', { rename: [['ip_from', 'a']] }, '--rename names "ip_from", which is not a value column'],
  ['types', { columnTypes: [['city', 'string']] }, '--types names "city", which is not a value column'],
  [
    'two of one name',
    { rename: [['lat', 'asn']] },
    'two columns would be stored as asn: give one of them another name with --rename, or leave it out with --drop-columns',
  ],
  [
    'a constant of a column’s name',
    { set: [['asn', '1']] },
    'two columns would be stored as asn: give one of them another name with --rename, or leave it out with --drop-columns',
  ],
  [
    'a name that the range has',
    { includeIpRange: true, rename: [['lat', 'ip_to']] },
    'two columns would be stored as ip_to: give one of them another name with --rename, or leave it out with --drop-columns',
  ],
  [
    'a constant of the wrong type',
    { set: [['level', 'high']], columnTypes: [['level', 'uint16']] },
    '--set level=high: is not a whole number from 0 to 65535',
  ],
])('what does not fit the file is refused: %s', (_case, options, message) => {
  expect(violationsOf(CSV, options)).toEqual([`input.csv: row 1: ${message}`]);
});

test.each<[Partial<BuildOptions>, string]>([
  [{ keepColumns: ['a'], dropColumns: ['b'] }, '--keep-columns cannot be combined with --drop-columns'],
  [
    {
      rename: [
        ['a', 'b'],
        ['a', 'c'],
      ],
    },
    '--rename has a twice',
  ],
  [
    { columnTypes: [['a', 'float']] },
    '--types gives a the type "float": use one of string, boolean, double, int32, uint16, uint32, asn',
  ],
  [
    { schema: 'geoip2', columnTypes: [['a', 'uint32']] },
    '--types cannot be combined with --schema geoip2: it determines the types itself',
  ],
])('%j is refused', (options, message) => {
  expect(() => build(CSV, options)).toThrow(message);
});

test('any choice of columns, names and constants agrees with a naive implementation', () => {
  const columns = ['a', 'b', 'c', 'd'];
  const cell = fc.constantFrom('', '0', '7', '-1', 'x y', 'true');
  const subset = fc.subarray(columns);
  const choice = fc.oneof(
    subset.map((keepColumns) => ({ keepColumns })),
    subset.map((dropColumns) => ({ dropColumns })),
  );
  const scenario = fc.record({
    rows: fc.array(fc.tuple(cell, cell, cell, cell), { minLength: 1, maxLength: 20 }),
    choice,
    // Names that no other column has.
    rename: subset.map((names) => names.map((name): [string, string] => [name, `${name}${name}`])),
    set: fc
      .subarray(['e', 'f'])
      .map((names) => names.map((name): [string, string] => [name, `value of ${name}`])),
  });
  fc.assert(
    fc.property(scenario, ({ rows, choice: chosen, rename, set }) => {
      const lines = rows.map((cells, index) => `1.0.${index}.0,1.0.${index}.255,${cells.join(',')}`);
      const csv = ['ip_from,ip_to,a,b,c,d', ...lines, ''].join('\n');
      const lookup = openLookup(build(csv, { ...chosen, rename, set }).bytes);
      const names = new Map(rename);
      for (const [index, cells] of rows.entries()) {
        const stored = columns.flatMap((name, column): [string, string][] => {
          const isKept =
            'keepColumns' in chosen ? chosen.keepColumns.includes(name) : !chosen.dropColumns.includes(name);
          return isKept && cells[column] !== '' ? [[names.get(name) ?? name, cells[column]!]] : [];
        });
        expect(lookup.find(`1.0.${index}.77`)).toEqual(Object.fromEntries([...stored, ...set]));
      }
    }),
  );
});
