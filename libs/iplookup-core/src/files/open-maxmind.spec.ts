import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Reader } from '@maxmind/geoip2-node';
import { zip } from '../../test/make-zip.js';
import { openLookup } from '../mmdb/open-lookup.js';
import { verifyLookup } from '../verify/verify-lookup.js';
import { buildLookup, type BuildRequest } from './build-lookup.js';

const folder = mkdtempSync(join(tmpdir(), 'iplookup-maxmind-'));
afterAll(() => rmSync(folder, { recursive: true }));

const GEO =
  'network,geoname_id,registered_country_geoname_id,represented_country_geoname_id,is_anonymous_proxy,is_satellite_provider';
const SPOT = 'postal_code,latitude,longitude,accuracy_radius,is_anycast';
const PLACE = 'geoname_id,locale_code,continent_code,continent_name,country_iso_code,country_name';
const CITY = `${PLACE},subdivision_1_iso_code,subdivision_1_name,subdivision_2_iso_code,subdivision_2_name,city_name,metro_code,time_zone,is_in_european_union`;

const CITY_FILES = {
  'GeoLite2-City-Blocks-IPv4.csv': `${GEO},${SPOT}\n192.0.2.0/25,11,3,,0,0,4711,49.5,-16.25,20,1\n192.0.2.128/25,12,4,5,0,1,,48,15,1000,\n198.51.100.0/24,,3,,1,0,,,,,\n`,
  'GeoLite2-City-Blocks-IPv6.csv': `${GEO},${SPOT}\n2001:db8::/32,3,3,,0,0,,50,15,100,\n`,
  'GeoLite2-City-Locations-en.csv': `${CITY}\n3,en,EU,Europe,XC,Arcadia,,,,,,,Europe/Prague,1\n4,en,EU,Europe,XD,Utopia,,,,,,,Europe/Vienna,0\n5,en,NA,"North America",XE,Oz,,,,,,,,0\n7,en,EU,Europe,XC,Arcadia,64,"South, Arcadia",,,,,Europe/Prague,1\n11,en,EU,Europe,XC,Arcadia,64,"South, Arcadia",642,Lakes,Brook,501,Europe/Prague,1\n12,en,EU,Europe,XD,Utopia,9,Hills,,,,,Europe/Vienna,0\n`,
  'GeoLite2-City-Locations-de.csv': `${CITY}\n3,de,EU,Europa,XC,Arkadien,,,,,,,Europe/Prague,1\n11,de,EU,Europa,XC,Arkadien,64,Süd,642,,Bach,501,Europe/Prague,1\n`,
  'LICENSE.txt': 'of our own making',
};

let number = 0;
const archive = (files: Record<string, string>): string => {
  const path = join(folder, `${number++}.zip`);
  writeFileSync(
    path,
    zip(Object.fromEntries(Object.entries(files).map(([name, text]) => [`Any_20260101/${name}`, text]))),
  );
  return path;
};
const build = async (input: string, options: Partial<BuildRequest> = {}) => {
  const { file, lookup } = await buildLookup({
    kind: 'csv',
    buildEpoch: 1,
    input,
    folder,
    languages: [],
    ...options,
  });
  return { lookup, bytes: readFileSync(file) };
};
const recordsOf = ({ bytes }: { bytes: Buffer }, ...addresses: string[]) => {
  expect(verifyLookup(bytes).problems).toEqual([]);
  return addresses.map((address) => openLookup(bytes).find(address));
};

test('a city has MaxMind’s records: its own identifiers and those of the places it is in, names by language, nothing false', async () => {
  const built = await build(archive(CITY_FILES), { languages: ['en', 'de'] });
  expect(built.lookup).toBe('GeoLite2-City');
  const [city, region, none, six] = recordsOf(
    built,
    '192.0.2.1',
    '192.0.2.200',
    '198.51.100.1',
    '2001:db8::1',
  );
  const europe = { code: 'EU', geoname_id: 6255148, names: { de: 'Europa', en: 'Europe' } };
  const arcadia = {
    iso_code: 'XC',
    is_in_european_union: true,
    geoname_id: 3,
    names: { de: 'Arkadien', en: 'Arcadia' },
  };
  expect(city).toEqual({
    continent: europe,
    country: arcadia,
    subdivisions: [
      { geoname_id: 7, iso_code: '64', names: { de: 'Süd', en: 'South, Arcadia' } },
      { iso_code: '642', names: { en: 'Lakes' } },
    ],
    city: { geoname_id: 11, names: { de: 'Bach', en: 'Brook' } },
    location: {
      accuracy_radius: 20,
      latitude: 49.5,
      longitude: -16.25,
      metro_code: 501,
      time_zone: 'Europe/Prague',
    },
    postal: { code: '4711' },
    registered_country: arcadia,
    traits: { is_anycast: true },
  });
  expect(region).toEqual({
    continent: europe,
    country: { iso_code: 'XD', geoname_id: 4, names: { en: 'Utopia' } },
    subdivisions: [{ geoname_id: 12, iso_code: '9', names: { en: 'Hills' } }],
    location: { accuracy_radius: 1000, latitude: 48, longitude: 15, time_zone: 'Europe/Vienna' },
    registered_country: { iso_code: 'XD', geoname_id: 4, names: { en: 'Utopia' } },
    represented_country: { iso_code: 'XE', geoname_id: 5, names: { en: 'Oz' } },
    traits: { is_satellite_provider: true },
  });
  expect(none).toEqual({ registered_country: arcadia, traits: { is_anonymous_proxy: true } });
  expect(six).toMatchObject({ country: arcadia, location: { time_zone: 'Europe/Prague' } });
  expect(openLookup(built.bytes).metadata).toMatchObject({
    databaseType: 'GeoLite2-City',
    languages: ['de', 'en'],
  });
  expect(Reader.openBuffer(built.bytes).city('192.0.2.1')).toMatchObject({ city: { geonameId: 11 } });
});

test('an unpacked folder gives the same lookup as the archive', async () => {
  const unpacked = join(folder, 'unpacked');
  mkdirSync(unpacked);
  for (const [name, text] of Object.entries(CITY_FILES)) writeFileSync(join(unpacked, name), text);
  const fromFolder = await build(unpacked, { lookupName: 'same' });
  const fromArchive = await build(archive(CITY_FILES), { lookupName: 'same' });
  expect(fromFolder.bytes).toEqual(fromArchive.bytes);
});

test('a language may be mentioned twice', async () => {
  const { bytes } = await build(archive(CITY_FILES), { languages: ['de', 'de'], schema: 'flat' });
  expect(openLookup(bytes).find('192.0.2.1')).toMatchObject({ city_name: 'Bach' });
});

test('flat records have MaxMind’s columns by their names', async () => {
  const built = await build(archive(CITY_FILES), {
    schema: 'flat',
    languages: ['de'],
    keepColumns: ['geoname_id', 'country_name', 'city_name', 'registered_country_name', 'time_zone'],
  });
  expect(recordsOf(built, '192.0.2.1', '192.0.2.200')).toEqual([
    {
      geoname_id: '11',
      country_name: 'Arkadien',
      city_name: 'Bach',
      registered_country_name: 'Arkadien',
      time_zone: 'Europe/Prague',
    },
    { geoname_id: '12', time_zone: 'Europe/Vienna' },
  ]);
});

const NETWORK = 'GeoIP2-ISP-Blocks-IPv4.csv';

test.each<[string, Record<string, string>, object]>([
  [
    'GeoLite2-Country',
    {
      'GeoLite2-Country-Blocks-IPv4.csv': `${GEO}\n192.0.2.0/24,3,4,,0,0\n`,
      'GeoLite2-Country-Locations-en.csv': `${PLACE},is_in_european_union\n3,en,EU,Europe,XC,Arcadia,1\n4,en,EU,Europe,XD,Utopia,0\n`,
    },
    {
      continent: { code: 'EU', geoname_id: 6255148, names: { en: 'Europe' } },
      country: { iso_code: 'XC', geoname_id: 3, is_in_european_union: true, names: { en: 'Arcadia' } },
      registered_country: { iso_code: 'XD', geoname_id: 4, names: { en: 'Utopia' } },
    },
  ],
  [
    'GeoLite2-ASN',
    {
      'GeoLite2-ASN-Blocks-IPv4.csv':
        'network,autonomous_system_number,autonomous_system_organization\n192.0.2.0/24,64500,"Example, Inc."\n',
    },
    { autonomous_system_number: 64500, autonomous_system_organization: 'Example, Inc.' },
  ],
  [
    'GeoIP2-ISP',
    {
      [NETWORK]:
        'network,isp,organization,autonomous_system_number,autonomous_system_organization,mobile_country_code,mobile_network_code\n192.0.2.0/24,Example ISP,Org,64500,Example,310,004\n',
    },
    {
      isp: 'Example ISP',
      organization: 'Org',
      autonomous_system_number: 64500,
      autonomous_system_organization: 'Example',
      mobile_country_code: '310',
      mobile_network_code: '004',
    },
  ],
  [
    'GeoIP2-Anonymous-IP',
    {
      'GeoIP2-Anonymous-IP-Blocks-IPv4.csv':
        'network,is_anonymous,is_anonymous_vpn,is_hosting_provider,is_public_proxy,is_tor_exit_node,is_residential_proxy\n192.0.2.0/24,1,,,0,1,\n',
    },
    { is_anonymous: true, is_tor_exit_node: true },
  ],
  [
    'GeoIP2-Enterprise',
    {
      'GeoIP2-Enterprise-Blocks-IPv4.csv': `${GEO},postal_code,latitude,longitude,isp_id,is_legitimate_proxy,domain,accuracy_radius,country_confidence,subdivision_confidence,city_confidence,postal_confidence,is_anycast\n192.0.2.0/24,11,3,,0,0,4711,1.5,2.5,8,1,example.com,5,99,80,70,60,\n`,
      'GeoIP2-Enterprise-Locations-en.csv': CITY_FILES['GeoLite2-City-Locations-en.csv'],
      'GeoIP2-Enterprise-ISP.csv':
        'isp_id,isp,organization,autonomous_system_number,autonomous_system_organization,connection_type,user_type,mobile_country_code,mobile_network_code\n8,Example ISP,Org,64500,Example,Cable/DSL,residential,,\n',
    },
    {
      city: { confidence: 70, geoname_id: 11, names: { en: 'Brook' } },
      country: { confidence: 99, geoname_id: 3 },
      postal: { code: '4711', confidence: 60 },
      traits: {
        isp: 'Example ISP',
        organization: 'Org',
        autonomous_system_number: 64500,
        autonomous_system_organization: 'Example',
        connection_type: 'Cable/DSL',
        user_type: 'residential',
        domain: 'example.com',
        is_legitimate_proxy: true,
      },
    },
  ],
  [
    'GeoIP2-Connection-Type',
    { 'GeoIP2-Connection-Type-Blocks-IPv4.csv': 'network,connection_type\n192.0.2.0/24,Cellular\n' },
    { connection_type: 'Cellular' },
  ],
])('%s', async (database, files, record) => {
  const built = await build(archive(files));
  const [found] = recordsOf(built, '192.0.2.77');
  expect(found).toMatchObject(record);
  if (!/Enterprise/.test(database)) expect(found).toEqual(record);
  expect([built.lookup, openLookup(built.bytes).metadata.databaseType]).toEqual([database, database]);
});

const ISP = 'network,isp\n192.0.2.0/24,a\n';

test.each<[string, Record<string, string>, Partial<BuildRequest>, string]>([
  [
    'no database',
    { 'README.txt': '' },
    {},
    'contains none of MaxMind’s files, such as GeoLite2-City-Blocks-IPv4.csv',
  ],
  [
    'two databases',
    { [NETWORK]: ISP, 'GeoLite2-ASN-Blocks-IPv4.csv': ISP },
    {},
    'contains more than one database, Any_20260101/GeoIP2-ISP-Blocks-IPv4.csv and Any_20260101/GeoLite2-ASN-Blocks-IPv4.csv: pass an archive or a folder with one of them',
  ],
  [
    'the same database twice',
    { [NETWORK]: ISP, [`old/${NETWORK}`]: ISP },
    {},
    `contains more than one database, Any_20260101/${NETWORK} and Any_20260101/old/${NETWORK}: pass`,
  ],
  [
    'a database without its places',
    { 'GeoLite2-City-Blocks-IPv4.csv': CITY_FILES['GeoLite2-City-Blocks-IPv4.csv'] },
    {},
    'has no file of places, such as GeoLite2-City-Locations-en.csv: pass the archive as downloaded',
  ],
  [
    'a language for a database without places',
    { [NETWORK]: ISP },
    { languages: ['en'] },
    'GeoIP2-ISP has no places, whose names --language would choose: leave it out',
  ],
  [
    'too many languages',
    CITY_FILES,
    { languages: Array.from({ length: 17 }, (_, index) => `x${String.fromCharCode(97 + index)}`) },
    '--language takes at most 16 languages',
  ],
  [
    'a language it does not have',
    CITY_FILES,
    { languages: ['fr'] },
    'has no names for --language fr: use one of de, en',
  ],
  [
    'two languages in flat records',
    CITY_FILES,
    { languages: ['en', 'de'], schema: 'flat' },
    '--language takes one language with --schema flat, whose records have one name for a place',
  ],
  [
    'columns without a place',
    { [NETWORK]: 'network,isp,mood\n192.0.2.0/24,a,b\n' },
    {},
    'GeoIP2-ISP-Blocks-IPv4.csv: row 1: --schema geoip2 has no place for the column mood: leave it out with --drop-columns mood',
  ],
  [
    'an invalid row',
    { [NETWORK]: ISP, 'GeoIP2-ISP-Blocks-IPv6.csv': 'network,isp\nnowhere,b\n' },
    {},
    'GeoIP2-ISP-Blocks-IPv6.csv: row 2, column network: "nowhere" is not a network',
  ],
])('%s is refused', async (_case, files, options, message) => {
  await expect(build(archive(files), options)).rejects.toThrow(message);
});

test('what is neither an archive nor a folder is refused', async () => {
  const path = join(folder, 'one.csv');
  writeFileSync(path, ISP);
  await expect(build(path)).rejects.toThrow('one.csv is neither a zip archive nor a folder');
});
