import { Readable } from 'node:stream';
import fc from 'fast-check';
import { build } from '../../test/build-in-memory.js';
import { compare } from '../../test/compare-in-memory.js';
import { runs } from '../../test/property-runs.js';
import { planBuild } from '../build/plan-build.js';
import { LookupInputError } from '../build/input-violations.js';
import { RowCheck } from '../build/row-check.js';
import { openLookup } from '../mmdb/open-lookup.js';
import { compareRows } from './compare-rows.js';
import { type ExpectedRow, expectedRows } from './expected-rows.js';

const BLOCKS = ['0', '1', 'ffff', '10000'].map((word) => BigInt(`0x${word}00000000`));
const address = fc
  .tuple(
    fc.constantFrom(0n, ...BLOCKS, BLOCKS[2]! + (10n << 24n), 0x2002n << 112n, 0x2003n << 112n),
    fc.integer({ min: -3, max: 3 }),
  )
  .map(([base, offset]) => (base + BigInt(offset) < 0n ? 0n : base + BigInt(offset)));

test('a lookup agrees with its rows, overlapping or not, of both families and across their borders', async () => {
  const row = fc.tuple(address, address, fc.nat(3));
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 12 }), async (rows) => {
      const lines = rows.map(([a, b, v]) => (a < b ? `${a},${b},v${v}` : `${b},${a},v${v}`));
      const { differences } = await compare(['a,b,v', ...lines].join('\n'), { inputFormat: 'ipv6-int' });
      expect(differences).toEqual([]);
    }),
    { numRuns: runs(300) },
  );
}, 60_000);

test('a range covered by many rows, at every depth, has the latest row’s record', async () => {
  const range = fc.tuple(fc.nat(300), fc.nat(300), fc.nat(4));
  await fc.assert(
    fc.asyncProperty(fc.array(range, { minLength: 1, maxLength: 30 }), async (ranges) => {
      const rows = ranges.map(([a, b, v]) => `${Math.min(a, b)},${Math.max(a, b)},v${v}`);
      const csv = ['a,b,v', ...rows].join('\n');
      expect((await compare(csv, { inputFormat: 'ipv4-int' })).differenceCount).toBe(0);
    }),
  );
});

test('contiguous rows are probed once at each border', async () => {
  const csv = 'a,b,v\n10.0.0.0,10.0.0.9,x\n10.0.0.10,10.0.0.10,y\n';
  expect(await compare(csv)).toEqual({ rows: 2, addresses: 6, differences: [], differenceCount: 0 });
});

test('each range is probed at its ends, in its middle and beside it, where addresses exist', async () => {
  const asked: string[] = [];
  const csv = [
    'a,b,v',
    '::,::,x',
    '2001:db8::ffff:ffff,2001:db8::1:0:1,y',
    'fe00::1,ff00::2,z',
    'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff,ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff,w',
  ].join('\n');
  await compare(csv, { inputFormat: 'ipv6' }, csv, asked);
  expect(asked).toEqual([
    ...['::', '::1'],
    ...[
      '2001:db8::ffff:fffe',
      '2001:db8::ffff:ffff',
      '2001:db8::1:0:0',
      '2001:db8::1:0:1',
      '2001:db8::1:0:2',
    ],
    ...['fe00::', 'fe00::1', 'fe80::1', 'ff00::2', 'ff00::3'],
    ...['ffff:ffff:ffff:ffff:ffff:ffff:ffff:fffe', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ]);
});

test('an IPv4 lookup is probed only for IPv4 addresses, whatever rows the input has', async () => {
  const rows = ['10.0.0.0,10.0.0.9,x', '2001:db8::,2001:db8::9,y', '::1.0.0.0,::1.0.0.9,z'];
  const csv = ['a,b,v', ...rows].join('\n');
  const asked: string[] = [];
  const options = { forceIpv4: true };
  expect((await compare(csv, options, csv, asked)).differences).toEqual([]);
  expect(asked.map((ip) => ip.replace('::ffff:', ''))).toEqual([
    ...['9.255.255.255', '10.0.0.0', '10.0.0.4', '10.0.0.9', '10.0.0.10'],
  ]);
  expect((await compare(csv, options, csv.replace(',x', ',X'))).differences).toEqual(
    ['10.0.0.0', '10.0.0.4', '10.0.0.9'].map(
      (ip) => `::ffff:${ip}: the lookup has {"v":"x"}, the input {"v":"X"}`,
    ),
  );
});

test.each(['::,1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '::/8'])(
  'a lookup in which the wide row %s hides IPv4 rows is found to differ',
  async (wide) => {
    const inputFormat = wide.includes('/') ? 'cidr' : 'auto';
    const row = (octet: number) =>
      inputFormat === 'cidr' ? `${octet}.0.0.0/8` : `${octet}.0.0.0,${octet}.0.0.9`;
    const names = inputFormat === 'cidr' ? 'network,v' : 'a,b,v';
    const mapped = inputFormat === 'cidr' ? '0.0.0.0/0' : '0.0.0.0,255.255.255.255';
    const given = [names, `${row(10)},x`, `${row(11)},y`, `${wide},ZZ`].join('\n');
    for (const includeIpRange of [false, true]) {
      const hidden = `${given}\n${mapped},ZZ`;
      const { differences } = await compare(hidden, { inputFormat, includeIpRange }, given);
      expect(differences.join('\n')).toMatch(/::ffff:10\.0\.0\.0: .*"ZZ".*the input .*"x"/);
      expect((await compare(given, { inputFormat, includeIpRange })).differences).toEqual([]);
    }
  },
);

test('addresses of ::/96 in dotted decimal are not those of the IPv4 block', async () => {
  const csv = 'a,b,v\n::1.0.0.0,::1.0.0.9,low\n1.0.0.5,1.0.0.6,four\n';
  expect((await compare(csv, { includeIpRange: true })).differences).toEqual([]);
  const cidr = 'network,v\n::1.0.0.0/120,low\n1.0.0.0/30,four\n';
  expect((await compare(cidr, { inputFormat: 'cidr', includeIpRange: true })).differences).toEqual([]);
});

test('differences are listed with both records, up to 20', async () => {
  const csv = 'a,b,v,w\n10.0.0.0,10.0.0.9,x,1\n10.0.0.20,10.0.0.29,y,2\n';
  const other = 'a,b,v,w\n10.0.0.0,10.0.0.8,x,1\n10.0.0.20,10.0.0.29,Y,2\n';
  expect((await compare(csv, {}, other)).differences).toEqual([
    '::ffff:10.0.0.9: the lookup has {"v":"x","w":"1"}, the input nothing',
    '::ffff:10.0.0.20: the lookup has {"v":"y","w":"2"}, the input {"v":"Y","w":"2"}',
    '::ffff:10.0.0.24: the lookup has {"v":"y","w":"2"}, the input {"v":"Y","w":"2"}',
    '::ffff:10.0.0.29: the lookup has {"v":"y","w":"2"}, the input {"v":"Y","w":"2"}',
  ]);
  const rows = (v: string) => Array.from({ length: 40 }, (_, i) => `10.0.${i}.0,10.0.${i}.0,${v}`).join('\n');
  const many = await compare(`a,b,v\n${rows('x')}`, {}, `a,b,v\n${rows('y')}`);
  expect([many.differences.length, many.differenceCount]).toEqual([20, 40]);
});

test('the addresses that --include-ip-range adds are those of the row, or of its piece in each block', async () => {
  const everything = '::,ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff,x';
  const csv = `a,b,v\n${everything}\n::5,::9,y\n10.0.0.0,10.0.0.9,z\n2001:db8::,2001:db8::f,w\n`;
  const options = { inputFormat: 'auto', includeIpRange: true } as const;
  expect((await compare(csv, options)).differences).toEqual([]);
  const lookup = openLookup(build(csv, options).bytes);
  expect(lookup.find('::4')).toEqual({ ip_from: '0.0.0.0', ip_to: '255.255.255.255', v: 'x' });
  expect(lookup.find('::6')).toEqual({ ip_from: '::5', ip_to: '::9', v: 'y' });
  const alone = openLookup(build('a,b,v\n::5,::9,y\n', options).bytes);
  expect(alone.find('::6')).toEqual({ ip_from: '::5', ip_to: '::9', v: 'y' });
  const other = 'a,b,v\n10.0.0.0,10.0.0.8,z\n10.0.0.9,10.0.0.9,z\n';
  const { differences } = await compare('a,b,v\n10.0.0.0,10.0.0.9,z\n', options, other);
  expect(differences[0]).toBe(
    '::ffff:10.0.0.0: the lookup has {"ip_from":"10.0.0.0","ip_to":"10.0.0.9","v":"z"}, the input {"ip_from":"10.0.0.0","ip_to":"10.0.0.8","v":"z"}',
  );
});

test.each(['ip_to', '__proto__', 'toString'])(
  'a column named %s is compared like any other',
  async (name) => {
    const csv = `a,b,${name}\n10.0.0.0,10.0.0.0,one\n`;
    expect((await compare(csv)).differences).toEqual([]);
    expect((await compare(csv, {}, csv.replace('one', 'two'))).differences).toEqual([
      `::ffff:10.0.0.0: the lookup has {"${name}":"one"}, the input {"${name}":"two"}`,
    ]);
  },
);

test('rows that the build left out as invalid are left out here', async () => {
  const csv = 'a,b,v\n\n10.0.0.0,10.0.0.0,"two\nlines"\nx,y,z\n10.0.0.1,10.0.0.1,b\n';
  const plan = planBuild('input.csv', { kind: 'csv', inputFormat: 'auto', skipInvalid: true, buildEpoch: 1 });
  const check = new RowCheck(plan);
  check.push(Buffer.from(csv));
  check.end();
  expect([...check.invalidLines]).toEqual([5]);
  const rows = expectedRows(Readable.from([Buffer.from(csv)]), plan, check.invalidLines);
  const kept = (await Readable.from(rows).toArray()) as ExpectedRow[];
  expect(kept.map(({ record }) => record['v'])).toEqual(['two\nlines', 'b']);
});

test('rows with malformed quotes cannot be skipped', async () => {
  const plan = planBuild('input.csv', { kind: 'csv', inputFormat: 'auto', buildEpoch: 1 });
  const rows = expectedRows(Readable.from([Buffer.from('a,b,v\n1.0.0.0,1.0.0.0,"x')]), plan);
  await expect(Readable.from(rows).toArray()).rejects.toThrow(
    'input.csv: has rows with malformed quotes, which a comparison cannot skip: fix them first',
  );
});

describe('rows of the vendor', () => {
  const names = ['country_code', 'latitude', 'longitude', 'elevation', 'place_elevation'];
  const csv = [
    '"16777216","16777217","XA","1.5","-2.5","7","x"',
    '"16777218","16777219","-","0.000000","0.000000","0","-"',
    '"16777220","16777221","-","-","-","-","-"',
    '"16777222","16777223","-","0.000000","0.000000","0","0"',
    '"16777224","16777225","XB","0.000000","0.000000","0","0"',
    '"16777226","16777227","XC","-","3.0","-","y"',
  ].join('\r\n');
  const vendor = { kind: 'vendor', inputFormat: 'ipv4-int', columnNames: names } as const;

  test.each([
    ['empty rows dropped', {}, 4],
    ['rows with any empty cell dropped', { emptyRows: 'any' }, 2],
    ['all rows kept, with their dashes', { keepEmptyRows: true }, 6],
    ['without types', { types: false }, 4],
  ] as const)('%s', async (_case, options, rows) => {
    expect(await compare(csv, { ...vendor, ...options })).toMatchObject({ rows, differences: [] });
  });

  test('a dash and a number are distinguished from other values', async () => {
    const kept = { ...vendor, keepEmptyRows: true };
    const { differences } = await compare(csv, kept, csv.replace('"-","3.0"', '"1.25","3.5"'));
    const record = (latitude: string, longitude: string) =>
      `{"country_code":"XC","elevation":"-","latitude":${latitude},"longitude":${longitude},"place_elevation":"y"}`;
    expect(differences).toEqual(
      ['1.0.0.10', '1.0.0.11'].map(
        (ip) => `::ffff:${ip}: the lookup has ${record('"-"', '3')}, the input ${record('1.25', '3.5')}`,
      ),
    );
  });
});

test.each([
  ['single addresses among networks', 'network,v\n10.0.0.0/30,x\n10.0.0.9,y\n2001:db8::9,z\n', 'cidr', 3],
  ['one column of both families', 'network,v\n10.0.0.9,y\n2001:db8::/64,z\n', 'auto', 2],
  ['two columns of both families', 'a,b,v\n10.0.0.9,10.0.0.10,y\n2001:db8::,2001:db8::1,z\n', 'auto', 2],
  ['rows without values', 'a,b\n10.0.0.9,10.0.0.10\n', 'auto', 1],
  [
    'large decimal numbers',
    'a,b,v\n42540766411282592856903984951653826560,42540766411282592856903984951653826561,x\n',
    'ipv6-int',
    1,
  ],
] as const)('%s', async (_case, csv, inputFormat, rows) => {
  expect(await compare(csv, { inputFormat })).toMatchObject({ rows, differences: [] });
});

test.each([
  [
    'Excel’s separator line',
    'sep=;\na;b;v\n10.0.0.9;10.0.0.10;y\nx;x;x\n2001:db8::;2001:db8::1;z\n',
    'auto',
    2,
  ],
  ['blanks around addresses', 'a,b,v\n 10.0.0.9 ,\t10.0.0.10 ,y\n" 2001:db8::",2001:db8::1 ,z\n', 'auto', 2],
  ['other blanks around addresses', 'a,b,v\n\u00A010.0.0.9,"10.0.0.10\uFEFF\n",y\n', 'auto', 1],
  ['blanks around numbers', 'a,b,v\n 16777216, 16777217,x\n', 'ipv4-int', 1],
  [
    'ranges in one column',
    'r,v\n10.0.0.9-10.0.0.20,y\n10.0.0.0/30,z\n2001:db8:: - 2001:db8::7,z\n',
    'auto',
    3,
  ],
  ['ranges in one column, cidr', 'r,v\n"10.0.0.9 - 10.0.0.20",y\n10.0.0.1,z\n', 'cidr', 2],
] as const)('%s: as the build reads them', async (_case, csv, inputFormat, rows) => {
  const check = new RowCheck(
    planBuild('input.csv', { kind: 'csv', inputFormat, skipInvalid: true, buildEpoch: 1 }),
  );
  check.push(Buffer.from(csv));
  check.end();
  const plan = planBuild('input.csv', { kind: 'csv', inputFormat, skipInvalid: true, buildEpoch: 1 });
  const lookup = openLookup(build(csv, { inputFormat, skipInvalid: true }).bytes);
  const readRows = async () => expectedRows(Readable.from([Buffer.from(csv)]), plan, check.invalidLines);
  expect(await compareRows(lookup, readRows, plan)).toMatchObject({ rows, differences: [] });
});

test('names given for a file without a header, with those of the addresses or without', async () => {
  const options = { header: false, inputFormat: 'ipv4', columnNames: ['start', 'end', 'v'] } as const;
  const csv = '10.0.0.0,10.0.0.1,x\n';
  expect(await compare(csv, options)).toMatchObject({ rows: 1, differences: [] });
  expect((await compare(csv, options, '10.0.0.0,10.0.0.1,y\n')).differences).toEqual(
    ['10.0.0.0', '10.0.0.1'].map((ip) => `::ffff:${ip}: the lookup has {"v":"x"}, the input {"v":"y"}`),
  );
});

describe('text that fast-csv reads in another way is refused', () => {
  const blanks =
    'has blanks before a quote, which a comparison would leave out with the quotes: remove them first';
  const carriageReturn =
    'has a carriage return outside quotes, with which a comparison would end the row: remove it first';

  test.each([
    ['1.0.0.0/24, "AU","x"\n', 2, blanks],
    ['1.0.0.0/24,x,"y\nz"\n\u00A0"1.0.1.0",x,y\n', 4, blanks],
    ['1.0.0.0/24,a\rb,c\n', 2, carriageReturn],
    ['1.0.0.0/24,a,x\n1.0.1.0/24,a,y\r\r\n', 3, carriageReturn],
    ['1.0.0.0/24,a,"x"\r\r\n', 2, carriageReturn],
  ])('%j', async (rows, row, reason) => {
    const csv = `network,a,b\n${rows}`;
    await expect(compare(csv, { inputFormat: 'cidr', skipInvalid: true })).rejects.toThrow(
      new LookupInputError([{ file: 'input.csv', row, reason }]),
    );
  });

  test.each([
    '\uFEFF"network","a","b"\r\n"1.0.0.0/24","x\ry","say ""no"" \n, ""x"""\r\n',
    'sep=;\r\nnetwork;a;b\r\n1.0.0.0/24;x, "y";" z"\r\n',
    'network,a,b\n1.0.0.0/24, ,  x y\n\n \n1.0.1.0,a"b,c\r\n1.0.2.0,,""\r',
  ])('but not %j', async (csv) => {
    const { differences, rows } = await compare(csv, { inputFormat: 'cidr', skipInvalid: true });
    expect([differences, rows]).toEqual([[], csv.split('1.0.').length - 1]);
  });

  test('quotes that stay open, which it would collect in memory', async () => {
    const open = 'b","""\n'.repeat((2 << 20) / 7);
    const plan = planBuild('input.csv', { kind: 'csv', inputFormat: 'auto', buildEpoch: 1 });
    let chunks = 0;
    const content = async function* () {
      for (; chunks < 100; chunks++) yield Buffer.from(open);
    };
    await expect(Readable.from(expectedRows(content(), plan)).toArray()).rejects.toThrow('malformed quotes');
    expect(chunks).toBeLessThan(5);
  });
});
