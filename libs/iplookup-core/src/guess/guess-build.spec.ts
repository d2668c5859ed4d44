import fc from 'fast-check';
import { runs } from '../../test/property-runs.js';
import { LookupBuilder } from '../build/lookup-builder.js';
import { planBuild } from '../build/plan-build.js';
import { type BuildGuess, guessBuild } from './guess-build.js';

const guess = (text: string, fileName = 'input.csv') => guessBuild(Buffer.from(text), fileName);

test.each<[string, string, BuildGuess['options'], string[]]>([
  [
    'IPinfo’s free file',
    'network,country,country_code,asn,as_name\n1.0.0.0/24,Australia,AU,AS13335,"Cloudflare, Inc."\n2001:4860::/32,United States,US,AS15169,Google\n',
    { inputFormat: 'cidr', columnTypes: [['asn', 'asn']] },
    ['country', 'country_code', 'asn', 'as_name'],
  ],
  [
    'DB-IP’s cities',
    '1.0.0.0,1.0.0.255,OC,AU,Queensland,South Brisbane,-27.47,153.02\n::,1fff::,EU,DE,x,y,1.5,2.5\n',
    {
      inputFormat: 'auto',
      header: false,
      columnNames: ['continent_code', 'country_code', 'region_name', 'city_name', 'latitude', 'longitude'],
      columnTypes: [
        ['latitude', 'double'],
        ['longitude', 'double'],
      ],
    },
    ['continent_code', 'country_code', 'region_name', 'city_name', 'latitude', 'longitude'],
  ],
  [
    'iptoasn’s table',
    '1.0.0.0\t1.0.0.255\t13335\tUS\tCLOUDFLARENET\n1.0.1.0\t1.0.1.255\t0\tNone\tNot routed\n',
    {
      inputFormat: 'auto',
      separator: 'tab',
      header: false,
      columnNames: ['asn', 'country_code', 'as_name'],
      columnTypes: [['asn', 'asn']],
    },
    ['asn', 'country_code', 'as_name'],
  ],
  [
    'a spreadsheet’s semicolons, and a name with blanks',
    'start;end;Name of site\n10.0.0.0;10.0.0.9;A b\n',
    { inputFormat: 'auto', separator: ';' },
    ['Name of site'],
  ],
  ['numbers of IPv4', 'ip_from,ip_to,x\n16777216,16777471,a\n', { inputFormat: 'ipv4-int' }, ['x']],
  [
    'numbers of IPv6',
    'ip_from,ip_to,x\n281470698520576,281470698520831,a\n',
    { inputFormat: 'ipv6-int' },
    ['x'],
  ],
  [
    'ranges in one column',
    'range,hosting\n10.0.0.0-10.0.0.9,TRUE\n',
    { inputFormat: 'cidr', columnTypes: [['hosting', 'boolean']] },
    ['hosting'],
  ],
  [
    'a plain list of networks',
    '10.0.0.0/8\n192.0.2.7\n',
    { inputFormat: 'cidr', header: false, columnNames: ['network'] },
    [],
  ],
])('%s', (_what, text, options, columns) => {
  const found = guess(text);
  expect(found).toMatchObject({ kind: 'csv', options, columns, rows: expect.any(Number) as number });
});

test('a separator that the first line declares is used for types, and to find split networks, too', () => {
  expect(guess('sep=;\nnetwork;x;asn\n10.0.0.0/8;a;AS7\n')).toMatchObject({
    options: { inputFormat: 'cidr', columnTypes: [['asn', 'asn']] },
    columns: ['x', 'asn'],
  });
  expect(() => guess('sep=;\nip;prefix\n10.0.0.0;8\n')).toThrow('has prefix lengths in its second column');
});

test('numbers that are too large for an AS are not typed, nor named so', () => {
  const { options } = guess('network,asn\n10.0.0.0/8,AS7\n11.0.0.0/8,AS4294967296\n');
  expect(options).toEqual({ inputFormat: 'cidr' });
  expect(guess('10.0.0.0/8,4294967296\n').columns).toEqual(['value_1']);
});

test('a vendor’s file by its name, and one whose name is nearly a vendor’s, with what its build needs', () => {
  const row = '"16777216","16777471","AU","Australia"\n';
  expect(guess(row, 'IP2LOCATION-LITE-DB1.CSV')).toMatchObject({ kind: 'vendor', options: {}, rows: 1 });
  expect(guess(row, 'IP2LOCATION-LITE-DB1 (1).CSV')).toMatchObject({
    kind: 'vendor',
    options: {
      inputFormat: 'ipv4-int',
      columnNames: ['country_code', 'country_name'],
      lookupName: 'IP2LOCATION-LITE-DB1-1',
    },
  });
  // The name does not help when the content is another.
  expect(guess('network,x\n10.0.0.0/8,a\n', 'IP2LOCATION-LITE-DB1.CSV')).toMatchObject({ kind: 'csv' });
});

test.each([
  ['', 'input.csv: is empty'],
  [
    'hello,world\nfoo,bar\n',
    'input.csv: has no addresses where they should be: the first column must hold networks, or the first two the first and last address of each range',
  ],
  [
    'ip_from,ip_to,x\n10.0.0.0,10.0.0.9,a\n10.0.1,10.0.1.9,b\n',
    'input.csv: row 3, column ip_from: "10.0.1" is not a',
  ],
  ['network,x,\n10.0.0.0/8,a,\n', 'input.csv: row 1, column 3: the column has no name'],
  ['first;last;x;x\n10.0.0.0;10.0.0.9;a;b\n', 'input.csv: row 1, column 4: "x" is the name of two columns'],
  [
    'network,x\n10.0.0.7/8,a\n',
    'input.csv: row 2, column network: "10.0.0.7/8" has bits set after its prefix',
  ],
  ['10.0.0.*,a\n', 'input.csv: row 1, column 1: "10.0.0.*" is not a network'],
  ['fe80::1%eth0\ta\n', 'input.csv: row 1, column 1: "fe80::1%eth0" is not a network'],
  ['from,to,x\n1.6777216E7,1.6777471E7,a\n', 'input.csv: row 2, column from: "1.6777216E7" is not a decimal'],
  ['\uFEFFnetwork,x\n10.0.0.0/8,a\n', 'input.csv: is UTF-16 text'],
  [
    'network,x\r10.0.0.0/8,a\r',
    'input.csv: row 1, column 2: "x\\r10.0.0.0/8" has a line break that is only a',
  ],
  [
    'network,mask,x\n10.0.0.0,255.0.0.0,a\n192.0.2.0,255.255.255.0,b\n',
    'input.csv: has netmasks in its second column: write networks, such as 192.0.2.0/24, in one column instead, or pass -i ipv4 if these are the ends of ranges',
  ],
  [
    'address,prefix_length,country\n10.0.0.0,24,AU\n10.0.1.7,32,US\n',
    'input.csv: has prefix lengths in its second column: write networks, such as 192.0.2.0/24, in one column instead, or pass -i cidr if these are values',
  ],
  [
    'ip;Mask bits\n10.0.0.7;24\n10.0.0.0;8\n',
    'input.csv: has prefix lengths in its second column: write networks, such as 192.0.2.0/24, in one column instead, or pass -i cidr, with -s ";" if these are values',
  ],
  ...[
    'address_prefix_length',
    'cidr_prefix',
    'Prefix length (bits)',
    'netmask_cidr',
    'PrefixLen',
    'bits',
  ].map((name): [string, string] => [
    `ip,${name}\n10.0.0.0,24\n10.0.1.7,24\n`,
    'has prefix lengths in its second column',
  ]),
  ['network,n\n2001:db8::,32\n10.0.0.0, 8\n2001:db8::1,128\n', 'input.csv: has prefix lengths in its second'],
  ['10.0.0.0\t24\tAU\n10.0.2.0\t23\tUS\n', 'input.csv: has prefix lengths in its second column'],
  [
    'ip_from,ip_to,site\n10.2.0.7,,Kiosk\n10.0.0.0,10.0.255.255,HQ\n',
    'input.csv: row 2, column ip_to: "" is not an IPv4 or IPv6 address',
  ],
  [
    'ip_from,ip_to,site\n10.0.0.0,10.0.255.255,HQ\n10.2.0.7,,Kiosk\n',
    'input.csv: row 3, column ip_to: "" is not an IPv4 or IPv6 address',
  ],
  [
    'a,b,v\n10.0.0.0,10.0.0.256,x\n2001:db8::,2001:db8::ff,y\n',
    'input.csv: row 3, column b: "2001:db8::ff" may end a range, but the first row of data has no second address',
  ],
  [
    'ip,gateway,host\n10.0.0.7,10.0.0.254,a\n10.0.0.8,,b\n',
    'input.csv: row 3, column gateway: "" is not an IPv4 or IPv6 address: pass -i ipv4 if the first two columns hold ranges, or -i cidr if only the first one holds addresses',
  ],
  [
    'ip,gateway,host\n2001:db8::7,2001:db8::ffff,a\n2001:db8::8,,b\n',
    'input.csv: row 3, column gateway: "" is not an IPv4 or IPv6 address: pass -i ipv6 if the first two columns hold ranges, or -i cidr if only the first one holds addresses',
  ],
  [
    'ip,gateway,host\n10.0.0.7,10.0.0.254,a\n2001:db8::1,2001:db8::2,b\n10.0.0.8,,c\n',
    'input.csv: row 4, column gateway: "" is not an IPv4 or IPv6 address: pass -i auto if the first two columns hold ranges, or -i cidr if',
  ],
  [
    'ip;gateway;host\n10.0.0.7;10.0.0.254;a\n10.0.0.8;;b\n',
    'or -i cidr if only the first one holds addresses, with -s ";"',
  ],
  [
    '10.0.0.7;10.0.0.254;a\n10.0.0.8;;b\n',
    'or -i cidr if only the first one holds addresses, with -s ";", --no-header and --column-names',
  ],
  [
    'start,end,v\n10.0.0.0/8,,HQ\n10.2.0.7,10.2.0.9,Kiosk\n',
    'input.csv: row 3, column end: "10.2.0.9" may end a range, but the first row of data has no second address: pass -i ipv4 if',
  ],
  [
    'first,last,cc\n10.0.0.0,10.0.0.255,AU\n10.0.1.0/24,,US\n',
    'input.csv: row 3, column first: "10.0.1.0/24" is not an IPv4 or IPv6 address: a file of ranges cannot also',
  ],
  ['10.2.0.7,,x\n10.0.0.0,10.0.0.9,y\n', 'input.csv: row 1, column 2: "" is not an IPv4 or IPv6'],
  ['10.0.0.0,10.0.0.9,y\n10.2.0.7,,x\n', 'input.csv: row 2, column 2: "" is not an IPv4 or IPv6'],
])('%j is not guessed', (text, message) => {
  const encoding = message.includes('UTF-16') ? 'utf16le' : 'utf8';
  expect(() => guessBuild(Buffer.from(text, encoding), 'input.csv')).toThrow(message);
});

test.each([
  'ip,gateway,v\n10.0.0.7,10.0.0.1,x\n10.0.0.8,,y\n',
  'ip,gateway,v\n10.0.0.7,,x\n10.0.0.8,2001:db8::1,y\n10.0.0.9,10.0.0.1,y\n',
  'host,via,v\n10.1.0.0/16,10.0.0.9,x\n10.0.0.7,10.0.0.9,x\n',
  'start,end,v\n10.0.0.0/8,,HQ\n10.2.0.7,,Kiosk\n',
  'ip,score\n10.0.0.7,24\n10.0.0.0,8\n',
  'ip,open_ports\n10.0.0.0,22\n',
  'ip,open_ports\n10.0.0.0,22\n10.0.0.0,25\n10.0.0.7,32\n',
  'ip,orbits\n10.0.0.0,8\n10.0.0.7,24\n',
  'ip,mask bits\n10.0.0.7,24\n',
  'ip,score\n10.0.0.7,32\n10.0.0.8,32\n',
  'ip,prefix\n10.0.0.7,24\n10.0.0.8,\n',
  'ip,length\n10.0.0.7,33\n',
])('%j has one column of addresses', (text) => {
  expect(guess(text).options).toEqual({ inputFormat: 'cidr' });
});

test('a header of one character is a row, unlike empty lines', () => {
  expect(guess('\r\nn\n\n10.0.0.0/8\n')).toMatchObject({ options: { inputFormat: 'cidr' }, columns: [] });
});

test('guessed options build a lookup, for every separator, with and without a header', () => {
  const octet = fc.nat(255);
  const cell = fc.constantFrom('AU', 'a b', '7', '-1.5', '"x, y; z|"', '');
  const scenario = fc.record({
    separator: fc.constantFrom(',', ';', '\t', '|'),
    header: fc.boolean(),
    form: fc.constantFrom('pair', 'network', 'number'),
    rows: fc.array(fc.tuple(octet, cell, cell), { minLength: 1, maxLength: 8 }),
  });
  fc.assert(
    fc.property(scenario, ({ separator, header, form, rows }) => {
      const addresses = (octet: number): string[] => {
        if (form === 'network') return [`10.0.${octet}.0/24`];
        if (form === 'pair') return [`10.0.${octet}.0`, `10.0.${octet}.255`];
        return [`${167_772_160 + 256 * octet}`, `${167_772_415 + 256 * octet}`];
      };
      const lines = rows.map(([octet, ...cells]) => [...addresses(octet), ...cells].join(separator));
      const names = [...(form === 'network' ? ['network'] : ['first', 'last']), 'one', 'two'];
      const text = [...(header ? [names.join(separator)] : []), ...lines, ''].join('\n');
      const { kind, options, columns, rows: read } = guess(text);
      expect([kind, columns.length, read]).toEqual(['csv', 2, rows.length]);
      const builder = new LookupBuilder(planBuild('input.csv', { kind, buildEpoch: 1, ...options }));
      builder.push(Buffer.from(text));
      for (const steps = builder.finish(); ;) {
        const next = steps.next();
        if (!next.done) continue;
        expect(next.value).toMatchObject({ rows: rows.length, skipped: 0 });
        break;
      }
    }),
    { numRuns: runs(100) },
  );
});
