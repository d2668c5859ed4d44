import { Reader, type Response } from 'mmdb-lib';
import { build, violationsOf } from '../../test/build-in-memory.js';
import { openLookup } from '../mmdb/open-lookup.js';
import { LookupOptionError } from '../messages/option-message.js';

const DB11 = 'IP2LOCATION-LITE-DB11.CSV';
const EMPTY = '"0","16777215","-","-","-","-","0.000000","0.000000","-","-"\r\n';
const PLACE =
  '"16777216","16777471","XA","Exampland","-","Sample, City","-12.500000","7.250000","02117","+01:00"\r\n';
const NAMES = 'country_code country_name region_name city_name latitude longitude zip_code time_zone'.split(
  ' ',
);
const record = {
  country_code: 'XA',
  country_name: 'Exampland',
  city_name: 'Sample, City',
  latitude: -12.5,
  longitude: 7.25,
  zip_code: '02117',
  time_zone: '+01:00',
};
const vendor = { kind: 'vendor', file: DB11 } as const;

test('columns, address format and types follow from the file name', () => {
  const { bytes, counts } = build(EMPTY + PLACE, vendor);
  expect(counts).toMatchObject({ rows: 2, kept: 1, dropped: 1, emptyRows: 1, partlyEmptyRows: 1 });
  expect(new Reader<Response>(bytes).get('1.0.0.255')).toEqual(record);
  expect(openLookup(bytes).find('0.0.0.0')).toBeUndefined();
  expect(openLookup(bytes).metadata.databaseType).toBe('IP2LOCATION-LITE-DB11');
  expect(openLookup(bytes).metadata.description['en']).toContain('IP2Location');
});

test.each([[NAMES], [['ip_from', 'ip_to', ...NAMES]]])(
  'names and format spelled out give the same file',
  (columnNames) => {
    const inferred = build(EMPTY + PLACE, vendor).bytes;
    const spelled = build(EMPTY + PLACE, {
      kind: 'vendor',
      file: 'renamed.csv',
      columnNames,
      inputFormat: 'ipv4-int',
      lookupName: 'IP2LOCATION-LITE-DB11',
    }).bytes;
    expect(spelled.equals(inferred)).toBe(true);
  },
);

test('empty rows and cells are kept on request, as dashes', () => {
  const { bytes, counts } = build(EMPTY + PLACE, { ...vendor, keepEmptyRows: true });
  expect(counts).toMatchObject({ kept: 2, dropped: 0, emptyRows: 1 });
  const dash = { country_code: '-', country_name: '-', region_name: '-', city_name: '-' };
  expect(openLookup(bytes).find('0.1.2.3')).toEqual({
    ...dash,
    latitude: 0,
    longitude: 0,
    zip_code: '-',
    time_zone: '-',
  });
  expect(openLookup(bytes).find('1.0.0.0')).toEqual({ ...record, region_name: '-' });
});

test('any row with an empty cell can be dropped, regardless of other cells', () => {
  const wrong = PLACE.replace('-12.500000', 'north');
  const whole = PLACE.replace('"-","Sample, City"', '"Region","Sample, City"');
  const { bytes, counts } = build(EMPTY + wrong + whole, { ...vendor, emptyRows: 'any' });
  expect(counts).toMatchObject({ kept: 1, dropped: 2, emptyRows: 1, partlyEmptyRows: 1, records: 1 });
  expect(openLookup(bytes).find('1.0.0.255')).toEqual({ ...record, region_name: 'Region' });
  expect(violationsOf(EMPTY + wrong, vendor)).toEqual([
    `${DB11}: row 2, column latitude: "north" is not a number`,
  ]);
});

test('a row with a value besides dashes is not empty', () => {
  const csv = '"0","9","-","-","Broadcast RFC0"\n';
  const { bytes } = build(csv, { kind: 'vendor', file: 'IP-COUNTRY-ISP.CSV' });
  expect(openLookup(bytes).find('0.0.0.9')).toEqual({ isp: 'Broadcast RFC0' });
});

test('a column may be named like an inherited property', () => {
  const { bytes } = build('0,9,-,x\n', {
    kind: 'vendor',
    inputFormat: 'ipv4-int',
    columnNames: ['toString', 'isp'],
  });
  expect(openLookup(bytes).find('0.0.0.5')).toEqual({ isp: 'x' });
});

test('elevation 0 beside dashes counts as empty; zeros alone do not', () => {
  const file = {
    kind: 'vendor',
    file: 'x',
    inputFormat: 'ipv4-int',
    columnNames: ['latitude', 'elevation', 'isp'],
  } as const;
  expect(build('0,9,0.000000,0,-\n', file).counts.dropped).toBe(1);
  expect(build('0,9,0.000000,7,-\n', file).counts.dropped).toBe(0);
  expect(build('0,9,0.000000,0,\n', file).counts.dropped).toBe(1);
  expect(build('0,9,0.0,0\n', { ...file, columnNames: ['latitude', 'elevation'] }).counts.dropped).toBe(0);
});

test.each([
  [['latitude', 'longitude'], '"0","9","-","-","0.000000","0.000000"', 1],
  [['latitude'], '"0","9","-","-","0.000000","0.000000"', 1],
  [['latitude', 'longitude'], '"0","9","XA","-","0.000000","0.000000"', 0],
  [['latitude', 'longitude'], '"0","9","-","-","0.000000","0.5"', 0],
])(
  'zeros of unknown places are empty, too, if no other column is kept: %j of %s',
  (keepColumns, row, dropped) => {
    const file = {
      kind: 'vendor',
      file: 'x',
      inputFormat: 'ipv4-int',
      columnNames: ['country_code', 'region_name', 'latitude', 'longitude'],
      keepColumns,
    } as const;
    const known = '"10","19","XB","Otherland","1.5","2.5"';
    expect(build(`${row}\n${known}\n`, file).counts).toMatchObject({ dropped, kept: 2 - dropped });
  },
);

test('the IPv6 edition: mapped numbers are IPv4, and its first row crosses the border', () => {
  const file = 'IP2LOCATION-LITE-DB1.IPV6.CSV';
  const csv = [
    '"0","281470698520575","-","-"',
    '"281470698520576","281470698520831","XA","Exampland"',
    '"42540766411282592856903984951653826560","42540766490510755371168322545197776895","XB","Otherland"',
  ].join('\n');
  const { bytes, counts } = build(csv, { kind: 'vendor', file });
  expect(counts).toMatchObject({ kept: 2, dropped: 1 });
  expect(openLookup(bytes).find('1.0.0.0')).toEqual({ country_code: 'XA', country_name: 'Exampland' });
  expect(openLookup(bytes).find('2001:db8:0:1::1')).toEqual({
    country_code: 'XB',
    country_name: 'Otherland',
  });
  const kept = build(csv, { kind: 'vendor', file, keepEmptyRows: true });
  expect(openLookup(kept.bytes).find('0.255.255.255')).toEqual({ country_code: '-', country_name: '-' });
  const four = build(csv, { kind: 'vendor', file, keepEmptyRows: true, forceIpv4: true });
  expect(four.counts).toMatchObject({ kept: 2, leftOut: 1, ipVersion: 4 });
});

test('the CIDR edition has one column of networks', () => {
  const { bytes } = build('::ffff:1.10.223.0/120,"XA","Exampland"\n', {
    kind: 'vendor',
    file: 'ip2location-db1-sample.ipv6.cidr.csv',
  });
  expect(openLookup(bytes).find('1.10.223.77')).toMatchObject({ country_code: 'XA' });
});

test('the edition of DB26 is determined by the first row’s length', () => {
  const rest = (columns: number) => Array(columns).fill('"1"').join(',');
  for (const columns of [25, 28]) {
    expect(
      build(`"0","9",${rest(columns)}\n`, { kind: 'vendor', file: 'IP2LOCATION-DB26-SAMPLE.IPV4.CSV' }).counts
        .kept,
    ).toBe(1);
  }
  expect(
    violationsOf(`"0","9",${rest(26)}\n`, { kind: 'vendor', file: 'IP2LOCATION-DB26-SAMPLE.IPV4.CSV' }),
  ).toEqual(['IP2LOCATION-DB26-SAMPLE.IPV4.CSV: row 1: DB26 has 27 or 30 columns, but the row has 28']);
});

const NAME_EACH = '--column-names must name all of them, or all but the address columns';

test('a file whose columns do not match its name, or with a header, is rejected', () => {
  expect(violationsOf('"0","9","XA","Exampland"\n', vendor)).toEqual([
    `${DB11}: row 1: DB11 has 10 columns, but the row has 4`,
  ]);
  expect(violationsOf(`ip_from,ip_to,${NAMES.join(',')}\n${PLACE}`, vendor)).toEqual([
    `${DB11}: row 1, column 1: "ip_from" is a column name, but the file must begin with data: use from-csv`,
  ]);
  expect(
    violationsOf('"0","9","XA"\n', {
      ...vendor,
      file: 'mine.csv',
      inputFormat: 'ipv4-int',
      columnNames: ['ip_from', 'ip_to', 'a', 'b'],
    }),
  ).toEqual([`mine.csv: row 1: the row has 3 columns: ${NAME_EACH}`]);
});

test('fewer names than address columns are not mistaken for theirs', () => {
  const options = { kind: 'vendor', file: 'mine.csv', inputFormat: 'ipv4-int', columnNames: ['a'] } as const;
  expect(violationsOf('0,9\n', options)).toEqual([`mine.csv: row 1: the row has 2 columns: ${NAME_EACH}`]);
});

test.each([
  ['dead:beef::', 'x', '"dead:beef::" is not a decimal number of 32 bits'],
  ['0', 'ip_to', '"ip_to" is not a decimal number of 32 bits'],
  ['from 1', '9', '"from 1" is not a decimal number of 32 bits'],
])('a first row of %p and %p is invalid data, not a header', (from, to, reason) => {
  const [message] = violationsOf(`"${from}","${to}","XA","Exampland"\n`, {
    kind: 'vendor',
    file: 'IP2LOCATION-LITE-DB1.CSV',
  });
  expect(message).toContain(reason);
});

test.each([
  [{ kind: 'vendor', file: 'mine.csv' }, 'is not a vendor file name'],
  [{ kind: 'vendor', file: 'mine.csv', columnNames: ['a'] }, 'is not a vendor file name'],
  [{ kind: 'vendor', file: 'mine.csv', inputFormat: 'ipv4-int' }, 'is not a vendor file name'],
  [
    { ...vendor, keepEmptyRows: true, emptyRows: 'all' },
    '--keep-empty-rows cannot be combined with --empty-rows',
  ],
  [{ ...vendor, columnNames: ['a', 'a'] }, 'has a twice'],
  [{ ...vendor, columnNames: ['ip_from', 'a'], includeIpRange: true }, 'only ip_from'],
  [{ ...vendor, columnNames: [] }, 'empty name'],
  [{ ...vendor, separator: ',,' }, 'is not valid'],
  [{ ...vendor, separator: '"' }, 'is not valid'],
  [{ ...vendor, separator: 'é' }, 'is not valid'],
  [{ ...vendor, lookupName: '../x' }, 'is not a valid lookup name'],
  [{ ...vendor, lookupName: '.x' }, 'is not a valid lookup name'],
  [{ ...vendor, lookupName: 'x.mmdb' }, '"x.mmdb" is not a valid lookup name: leave out the ending .mmdb'],
  [{ ...vendor, lookupName: 'x.MMDB.gz' }, 'leave out the ending .mmdb'],
  [{ kind: 'vendor', file: '-', columnNames: ['a'], inputFormat: 'ipv4-int' }, 'pass --lookup-name'],
  [{ inputFormat: 'ipv6', forceIpv4: true }, '--force-ipv4 cannot be used with the input format ipv6'],
  [
    { inputFormat: 'ipv6-int', forceIpv4: true },
    '--force-ipv4 cannot be used with the input format ipv6-int',
  ],
  [{ header: false }, '--no-header needs --column-names'],
  [{ columnNames: ['v'] }, '--column-names requires --no-header'],
] as const)('%p is rejected before anything is read', (options, message) => {
  expect(() => build('', options)).toThrow(LookupOptionError);
  expect(() => build('', options)).toThrow(message);
});

test.each([
  ['IP2LOCATION-LITE-DB11.CSV.ZIP', 'IP2LOCATION-LITE-DB11'],
  ['IP2LOCATION-LITE-DB11.IPV6.CSV', 'IP2LOCATION-LITE-DB11.IPV6'],
  ['/x/zones.csv.gz', 'zones'],
  ['zones.txt', 'zones.txt'],
])('the lookup of %s is called %s', (file, name) => {
  expect(openLookup(build('a,b,v\n', { file }).bytes).metadata.databaseType).toBe(name);
});
