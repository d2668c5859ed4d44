import { compare } from '../../test/compare-in-memory.js';

test('a lookup whose columns were stored otherwise differs', async () => {
  const csv = 'network,a,b\n10.0.0.0/8,1,2\n';
  const { differences } = await compare(
    csv,
    { inputFormat: 'cidr', rename: [['a', 'b']], keepColumns: ['a'] },
    'network,b,a\n10.0.0.0/8,1,2\n',
  );
  expect(differences).not.toEqual([]);
});

test.each([
  ['geoip2, city', 'country_code,region_name,latitude,asn', 'XA,North,1.50,AS64500', { schema: 'geoip2' }],
  ['geoip2, ASN', 'asn,as_name', '64500,Example', { schema: 'geoip2' }],
  ['columns left out', 'a,b', '1,2', { dropColumns: ['a'] }],
  ['typed columns', 'latitude,elevation', '1.50,7', { types: true }],
  ['columns kept', 'a,b', '1,2', { keepColumns: ['a'] }],
  ['columns renamed', 'a,b', '1,2', { rename: [['a', 'c']] }],
  [
    'types given',
    'a,b,c',
    'true,AS7,1.50',
    {
      columnTypes: [
        ['a', 'boolean'],
        ['b', 'asn'],
        ['c', 'double'],
      ],
    },
  ],
  [
    'constants',
    'a',
    '1',
    {
      set: [
        ['s', 'x'],
        ['n', '7'],
      ],
      columnTypes: [['n', 'uint16']],
    },
  ],
  [
    'geoip2, renamed and constant',
    'a',
    'XA',
    { schema: 'geoip2', rename: [['a', 'country_code']], set: [['continent.code', 'XX']] },
  ],
] as const)('%s', async (_case, names, cells, options) => {
  const csv = `network,${names}\n10.0.0.0/8,${cells}\n11.0.0.0/8,${','.repeat(cells.split(',').length - 1)}\n`;
  expect((await compare(csv, { inputFormat: 'cidr', ...options })).differences).toEqual([]);
});
