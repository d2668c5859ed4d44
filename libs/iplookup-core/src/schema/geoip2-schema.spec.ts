import { Reader } from '@maxmind/geoip2-node';
import { build, violationsOf } from '../../test/build-in-memory.js';
import { openLookup } from '../mmdb/open-lookup.js';
import { verifyLookup } from '../verify/verify-lookup.js';

const geoip2 = { schema: 'geoip2' } as const;
const vendor = (file: string) => ({ ...geoip2, kind: 'vendor', file }) as const;
const EMPTY = '"0","16777215","-","-","-","-","0.000000","0.000000","-","-"\r\n';
const PLACE =
  '"16777216","16777471","XA","Exampland","North","Sample, City","-12.500000","7.250000","02117","+01:00"\r\n';
const NEIGHBOUR = '"16777472","16777727","XA","Exampland","-","-","-12.000000","7.000000","-","+01:00"\r\n';

describe('a GeoIP2 reader opens', () => {
  test("the vendor's city database", () => {
    const { bytes, counts } = build(EMPTY + PLACE + NEIGHBOUR, vendor('IP2LOCATION-LITE-DB11.CSV'));
    expect(counts).toMatchObject({ rows: 3, kept: 2, dropped: 1 });
    const reader = Reader.openBuffer(bytes);
    const found = reader.city('1.0.0.77');
    expect(found).toMatchObject({
      country: { isoCode: 'XA', names: { en: 'Exampland' } },
      subdivisions: [{ names: { en: 'North' } }],
      city: { names: { en: 'Sample, City' } },
      location: { latitude: -12.5, longitude: 7.25, timeZone: '+01:00' },
      postal: { code: '02117' },
      traits: { network: '1.0.0.0/24' },
    });
    const other = reader.city('::ffff:1.0.1.1');
    expect(other).toMatchObject({ country: { isoCode: 'XA' }, location: { latitude: -12 } });
    expect([other.city, other.postal, other.subdivisions]).toEqual([undefined, undefined, undefined]);
    expect(() => reader.city('0.0.0.1')).toThrow('The address 0.0.0.1 is not in the database');
    expect(() => reader.country('1.0.0.1')).toThrow('cannot be used with the GeoLite2-City database');
  });

  test("the vendor's country database", () => {
    const { bytes } = build('"16777216","16777471","XA","Exampland"\n', vendor('IP2LOCATION-LITE-DB1.CSV'));
    expect(openLookup(bytes).metadata).toMatchObject({
      databaseType: 'GeoLite2-Country',
      description: { en: expect.stringContaining('IP2LOCATION-LITE-DB1: IP lookup with IP2Location data') },
      languages: ['en'],
    });
    expect(Reader.openBuffer(bytes).country('1.0.0.77').country).toEqual({
      isoCode: 'XA',
      names: { en: 'Exampland' },
    });
  });

  test("the vendor's ASN database", () => {
    const csv =
      '"16777216","16777471","1.0.0.0/24","64500","Example, Inc."\n"16777472","16777727","1.0.1.0/24","-","-"\n';
    const { bytes, counts } = build(csv, vendor('IP2LOCATION-LITE-ASN.CSV'));
    // The network column is not a value: without it, the second row is empty.
    expect(counts).toMatchObject({ kept: 1, dropped: 1 });
    expect(openLookup(bytes).metadata.databaseType).toBe('GeoLite2-ASN');
    expect(Reader.openBuffer(bytes).asn('1.0.0.1')).toEqual({
      autonomousSystemNumber: 64500,
      autonomousSystemOrganization: 'Example, Inc.',
      ipAddress: '1.0.0.1',
      network: '1.0.0.0/24',
    });
  });

  test('the providers of a country database', () => {
    const row = '"16777216","16777471","XA","Exampland","North","City","Example ISP","example.com"\n';
    const { bytes } = build(row, vendor('IP-COUNTRY-REGION-CITY-ISP-DOMAIN.CSV'));
    expect(Reader.openBuffer(bytes).city('1.0.0.1').traits).toMatchObject({
      isp: 'Example ISP',
      domain: 'example.com',
    });
  });
});

test('columns may be named as MaxMind names them in its CSV files, or by their place', () => {
  const names = [
    'network,continent_code,country_iso_code,is_in_european_union,city.names.de,city.names.en',
    'subdivisions.1.iso_code,subdivision_1_iso_code,accuracy_radius,autonomous_system_number',
  ].join(',');
  const { bytes } = build(`${names}\n10.0.0.0/8,EU,XA,true,Beispiel,Sample,S2,S1,50,AS64500\n`, {
    ...geoip2,
    inputFormat: 'cidr',
  });
  expect(openLookup(bytes).metadata.languages).toEqual(['de', 'en']);
  expect(openLookup(bytes).find('10.1.2.3')).toEqual({
    continent: { code: 'EU' },
    country: { iso_code: 'XA', is_in_european_union: true },
    city: { names: { de: 'Beispiel', en: 'Sample' } },
    subdivisions: [{ iso_code: 'S1' }, { iso_code: 'S2' }],
    location: { accuracy_radius: 50 },
    traits: { autonomous_system_number: 64500 },
  });
});

test('the languages of a file are those of its names, in order; English where it has none', () => {
  const languages = (names: string, options = {}) =>
    openLookup(build(`network,${names}\n10.0.0.0/8,XA,b\n`, { inputFormat: 'cidr', ...options }).bytes)
      .metadata.languages;
  expect(languages('country.names.en,country.names.de', geoip2)).toEqual(['de', 'en']);
  expect(languages('country.iso_code,continent.code', geoip2)).toEqual(['en']);
  expect(languages('country.iso_code,city')).toEqual(['en']);
});

test('maps that occur again are written once, and strict verifiers accept the file', () => {
  const rows = Array.from(
    { length: 500 },
    (_, i) => `"${i * 256}","${i * 256 + 255}","XA","Exampland","North","City ${i}","1.5","2.5","-","-"\n`,
  ).join('');
  const nested = build(rows, vendor('IP2LOCATION-LITE-DB11.CSV')).bytes;
  const { problems, records, warnings } = verifyLookup(nested);
  expect({ problems, records }).toEqual({ problems: [], records: 500 });
  expect(warnings).toEqual(['arrays are not read by Fluent Bit, nginx and others']);
  expect(nested.toString('latin1').split('Exampland')).toHaveLength(2);
  // Each record with maps of its own would take 31.6 kB.
  expect(nested.length).toBe(19_129);
});

test.each([
  [
    'ip_from,ip_to,country_code,floor,rack\n1.0.0.0,1.0.0.1,XA,1,2\n',
    {},
    'input.csv: row 1: --schema geoip2 has no place for the columns floor, rack: leave them out with --drop-columns floor,rack',
  ],
  [
    '"0","9","PUB","XA","Exampland"\n',
    { kind: 'vendor', file: 'IP2PROXY-LITE-PX2.CSV' },
    'IP2PROXY-LITE-PX2.CSV: row 1: --schema geoip2 has no place for the column proxy_type: leave it out with --drop-columns proxy_type',
  ],
  [
    'ip_from,ip_to,country_code,country_iso_code\n1.0.0.0,1.0.0.1,XA,XA\n',
    {},
    'input.csv: row 1: --schema geoip2 has one place, country.iso_code, for the columns country_code and country_iso_code: leave one out with --drop-columns',
  ],
  ['ip_from,ip_to\n1.0.0.0,1.0.0.1\n', {}, 'input.csv: row 1: --schema geoip2 has no column to store'],
  [
    'ip_from,ip_to,asn\n1.0.0.0,1.0.0.1,sixty\n',
    {},
    'input.csv: row 2, column asn: "sixty" is not the number of an autonomous system',
  ],
  [
    'ip_from,ip_to,accuracy_radius\n1.0.0.0,1.0.0.1,70000\n',
    {},
    'input.csv: row 2, column accuracy_radius: "70000" is not a whole number from 0 to 65535',
  ],
  [
    'ip_from,ip_to,is_anycast\n1.0.0.0,1.0.0.1,maybe\n',
    {},
    'input.csv: row 2, column is_anycast: "maybe" is not one of true, false, 1 and 0',
  ],
] as const)('%j is rejected', (csv, options, message) => {
  expect(violationsOf(csv, { ...geoip2, ...options })).toEqual([message]);
});

test.each([
  [
    { includeIpRange: true },
    '--include-ip-range cannot be combined with --schema geoip2: its records have no place for addresses, and readers report the network',
  ],
  [
    { kind: 'vendor', file: 'IP2LOCATION-LITE-DB1.CSV', keepEmptyRows: true },
    '--keep-empty-rows cannot be combined with --schema geoip2: its records omit unknown values',
  ],
  [{ types: false }, '--no-types cannot be combined with --schema geoip2: it determines the types itself'],
] as const)('%j does not go with it', (options, message) => {
  expect(() => build('', { ...geoip2, ...options })).toThrow(message);
});

describe('columns that are not stored', () => {
  const csv = 'ip_from,ip_to,site,rack\n1.0.0.0,1.0.0.255,a,1\n1.0.1.0,1.0.1.255,a,2\n';

  test('leave no trace, and rows that differ only in them are merged', () => {
    const { bytes, counts } = build(csv, { dropColumns: ['rack'] });
    expect(counts).toMatchObject({ kept: 2, merged: 1, records: 1 });
    expect(openLookup(bytes).findNetwork('1.0.1.1')).toEqual({
      network: '1.0.0.0/23',
      record: { site: 'a' },
    });
  });

  test('must exist', () => {
    expect(violationsOf(csv, { dropColumns: ['rake'] })).toEqual([
      'input.csv: row 1: --drop-columns names "rake", which is not a value column',
    ]);
  });

  test("make the vendor's wider databases fit the schema", () => {
    const row = '"16777216","16777471","PUB","XA","Exampland"\n';
    const { bytes } = build(row, { ...vendor('IP2PROXY-LITE-PX2.CSV'), dropColumns: ['proxy_type'] });
    expect(Reader.openBuffer(bytes).country('1.0.0.1').country?.isoCode).toBe('XA');
  });
});
