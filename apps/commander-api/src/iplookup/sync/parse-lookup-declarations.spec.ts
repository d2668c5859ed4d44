import { encryptPassword, PasswordKey } from '@svc/password-format';
import { parseLookupDeclarations } from './parse-lookup-declarations.js';

test('the kind of a layer follows from its source, and values of a layer win unless declared otherwise', () => {
  const text = `lookups:
  geo:
    guards: {max_lost: 10%}
    layers:
      - source: base.mmdb
      - {source: own.csv, input_ip_format: cidr, set: [origin=own], merge: fill, join: ['places.csv:id=place:p_']}
  sites: {gzip: true, guards: false, layers: [{source: IP2LOCATION-LITE-DB1.CSV, kind: vendor, types: false}]}
`;
  expect(parseLookupDeclarations(text, 'lookups.yaml')).toEqual([
    {
      name: 'geo',
      gzip: false,
      guards: { maxLost: '10%' },
      layers: [
        { source: 'base.mmdb', kind: 'lookup', merge: 'override', joins: [], flags: {}, terms: {} },
        {
          source: 'own.csv',
          kind: 'csv',
          merge: 'fill',
          joins: [{ name: 'places.csv', column: 'id', rowColumn: 'place', prefix: 'p_' }],
          flags: { inputIpFormat: 'cidr', set: ['origin=own'] },
          terms: {},
        },
      ],
    },
    {
      name: 'sites',
      gzip: true,
      guards: false,
      layers: [
        {
          source: 'IP2LOCATION-LITE-DB1.CSV',
          kind: 'vendor',
          merge: 'override',
          joins: [],
          flags: { types: false },
          terms: {
            licence: 'CC BY-SA 4.0',
            attribution:
              'This site or product includes IP2Location LITE data available from https://lite.ip2location.com.',
          },
        },
      ],
    },
  ]);
});

test('names in lists may contain blanks and commas; texts are separated', () => {
  const layers = [
    '{source: a.csv, drop_columns: [Net Speed], rename: ["City, State=city"], column_names: [Net Speed, b]}',
    '{source: a.csv, drop_columns: "Net Speed, b", rename: "AS Name=as, b=c", column_names: a b}',
  ].join(', ');
  const [declared] = parseLookupDeclarations(`lookups: {geo: {layers: [${layers}]}}`, 'lookups.yaml');
  expect(declared!.layers.map(({ flags }) => flags)).toEqual([
    { dropColumns: ['Net Speed'], rename: ['City, State=city'], columnNames: ['Net Speed', 'b'] },
    { dropColumns: ['Net Speed', 'b'], rename: ['AS Name=as', 'b=c'], columnNames: ['a', 'b'] },
  ]);
});

test('all problems are reported with their lines', () => {
  const text = `lookups:
  geo:
    gzip: 3
    layers:
      - source: x.csv
        colour: red
        gzip: true
      - kind: csv
      - source: y.mmdb
        types: true
      - just text
  a/b: {layers: []}
  none:
other: 1
`;
  let message = '';
  try {
    parseLookupDeclarations(text.replace('other: 1\n', ''), 'lookups.yaml');
  } catch (error) {
    message = (error as Error).message;
  }
  expect(message.split('\n')).toEqual([
    'lookups.yaml:3: /lookups/geo/gzip: gzip must be true or false',
    "lookups.yaml:7: /lookups/geo/layers/0/gzip: 'gzip' is not supported for a layer",
    "lookups.yaml:6: /lookups/geo/layers/0/colour: 'colour' is not supported",
    'lookups.yaml:8: /lookups/geo/layers/1/source: source is required',
    "lookups.yaml:10: /lookups/geo/layers/2/types: 'types' is not supported",
    'lookups.yaml:11: /lookups/geo/layers/3: must be a map',
    'lookups.yaml:12: /lookups/a~1b: must be a name of letters, digits, dots, dashes and underscores, without the ending .mmdb',
    'lookups.yaml:12: /lookups/a~1b/layers: must have 1 to 100 layers',
    'lookups.yaml:13: /lookups/none: must be a map',
    'no lookup was built',
  ]);
  const parse = (broken: string) => () => parseLookupDeclarations(broken, 'lookups.yaml');
  expect(parse(text)).toThrow("lookups.yaml:14: /other: 'other' is not supported");
  const guarded = (guards: string) => parse(`lookups: {a: {guards: ${guards}, layers: [{source: x}]}}`);
  expect(guarded('{max_lost: many}')).toThrow('/lookups/a/guards: max_lost');
  expect(guarded('{force: true}')).toThrow("/lookups/a/guards/force: 'force' is an option of the command");
  expect(guarded('{probes: x, max_lost: [5], probe: 7}, other: 1')).toThrow(
    [
      "lookups.yaml:1: /lookups/a/guards/probes: 'probes' is not supported",
      'lookups.yaml:1: /lookups/a/guards/max_lost: max_lost must be a string',
    ].join('\n'),
  );
  expect(parse('lookups: {a: {layers: [{source: x, join: [y]}]}}')).toThrow(
    '/lookups/a/layers/0/join/0: join takes a file',
  );
  expect(guarded('true')).toThrow('/lookups/a/guards: must be a map');
  const named = (...names: string[]) =>
    parse(`lookups:\n${names.map((name) => `  ${name}: {layers: [{source: x}]}\n`).join('')}`);
  expect(named('a', 'B', 'b')).toThrow('lookups.yaml:4: /lookups/b: differs from "B" only in case');
  expect(named('a.mmdb')).toThrow('lookups.yaml:2: /lookups/a.mmdb: must be a name');
  expect(parse('')).toThrow('lookups.yaml:1: the file declares no lookup');
  expect(parse('lookups: [a]')).toThrow("must have 'lookups': a map of lookups by name");
  expect(parse('lookups: {}\n---\nlookups: {}')).toThrow('must be one document');
  expect(parse('lookups: {a: {layers: ]')).toThrow('lookups.yaml:1: ');
});

test('a password that is bound to a place is refused elsewhere', async () => {
  const key = new PasswordKey(Buffer.alloc(32, 'key'));
  const parse = async (place: string) => {
    const encrypted = await encryptPassword('hunter2', key, place);
    const layer = `{source: "https://example.com/a.csv", user: a, password: !encpwd "${encrypted}"}`;
    return parseLookupDeclarations(`lookups:\n  city:\n    layers:\n      - ${layer}\n`, 'lookups.yaml');
  };
  expect(await parse('lookups.yaml/lookups.city.layers.0.password')).toHaveLength(1);
  await expect(parse('lookups.yaml/lookups.asn.layers.0.password')).rejects.toThrow(
    'lookups.yaml:4: /lookups/city/layers/0/password: is bound to another place; encrypt the password for this one',
  );
});
