import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openLookup } from '@svc/iplookup-core';
import { type LookupFolder, makeLookupFolder, removeLookupFolders } from './lookup-folder.js';

afterAll(removeLookupFolders);

const BLOCKS =
  'network,geoname_id,registered_country_geoname_id,represented_country_geoname_id,is_anonymous_proxy,is_satellite_provider\n';
const PLACES =
  'geoname_id,locale_code,continent_code,continent_name,country_iso_code,country_name,is_in_european_union\n';
const FILES = {
  'GeoLite2-Country-Blocks-IPv4.csv': `${BLOCKS}192.0.2.0/24,3,4,,0,0\n`,
  'GeoLite2-Country-Blocks-IPv6.csv': `${BLOCKS}2001:db8::/32,4,4,,0,0\n`,
  'GeoLite2-Country-Locations-en.csv': `${PLACES}3,en,EU,Europe,XC,Arcadia,1\n4,en,EU,Europe,XD,Utopia,0\n`,
  'GeoLite2-Country-Locations-de.csv': `${PLACES}3,de,EU,Europa,XC,Arkadien,1\n`,
};
const ARCHIVE = 'GeoLite2-Country-CSV_20260101.zip';

let folder: LookupFolder;
const find = (lookup: string, address: string) =>
  openLookup(readFileSync(join(folder.lookups, `${lookup}.mmdb`))).find(address);

beforeEach(() => {
  folder = makeLookupFolder();
  folder.writeZip(ARCHIVE, FILES);
});

test('an archive becomes a lookup with the names asked for, and so does its folder', async () => {
  const built = await folder.run('from-maxmind', ARCHIVE, '--language', 'de,en', '--json');
  expect(JSON.parse(built.stdout)).toMatchObject({ lookup: 'GeoLite2-Country', rows: 2, kept: 2 });
  expect(find('GeoLite2-Country', '192.0.2.1')).toMatchObject({
    country: { geoname_id: 3, iso_code: 'XC', names: { de: 'Arkadien', en: 'Arcadia' } },
    registered_country: { names: { en: 'Utopia' } },
  });
  const unpacked = join(folder.path, 'unpacked');
  mkdirSync(unpacked);
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(unpacked, name), text);
  await folder.run('from-maxmind', unpacked, '--language', 'de,en', '-o', 'again');
  const compared = await folder.run('diff', 'GeoLite2-Country', 'again', '--json');
  expect(JSON.parse(compared.stdout)).toMatchObject({ differences: [] });
});

test('guess prints the command for an archive, a folder and one of its files, with the places that it refers to', async () => {
  const guess = async (file: string) => (await folder.run('guess', file, '--json')).stdout;
  const commandFor = async (file: string) => (JSON.parse(await guess(file)) as { command: string[] }).command;
  expect(await commandFor(ARCHIVE)).toEqual(['svccmd', 'iplookup', 'from-maxmind', ARCHIVE]);
  const unpacked = join(folder.path, 'unpacked');
  mkdirSync(unpacked);
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(unpacked, name), text);
  expect(await commandFor(unpacked)).toEqual(['svccmd', 'iplookup', 'from-maxmind', unpacked]);
  const command = await commandFor(join(unpacked, 'GeoLite2-Country-Blocks-IPv4.csv'));
  expect(command.slice(-2)).toEqual([
    '--join',
    `${join(unpacked, 'GeoLite2-Country-Locations-en.csv')}:geoname_id`,
  ]);
  expect((await folder.run(...command.slice(2))).code).toBe(0);
  expect(find('GeoLite2-Country-Blocks-IPv4', '192.0.2.1')).toMatchObject({ country_name: 'Arcadia' });
  folder.write('GeoLite2-City-Blocks-IPv4.csv', FILES['GeoLite2-Country-Blocks-IPv4.csv']);
  expect(await commandFor('GeoLite2-City-Blocks-IPv4.csv')).not.toContain('--join');
});

test('columns of MaxMind’s files and places of its records can be left out', async () => {
  await folder.run(
    'from-maxmind',
    ARCHIVE,
    '--keep-columns',
    'country.iso_code',
    '--set',
    'continent.code=EU',
  );
  expect(find('GeoLite2-Country', '2001:db8::1')).toEqual({
    country: { iso_code: 'XD' },
    continent: { code: 'EU' },
  });
});

test('an archive is a layer of a declared lookup, and explain names the file in it', async () => {
  folder.write('own.csv', 'network,country_code\n192.0.2.128/25,XZ\n');
  // The lines of sources that have just been written are not reported.
  const past = new Date('2026-01-01');
  for (const name of ['own.csv', ARCHIVE]) utimesSync(join(folder.path, 'in', name), past, past);
  folder.declare(
    `lookups:\n  places-Country:\n    layers:\n      - {source: ${ARCHIVE}, kind: maxmind, language: [en, de]}\n      - {source: own.csv, input_ip_format: cidr, schema: geoip2}\n`,
  );
  const { code, stderr } = await folder.run('sync');
  expect([code, stderr]).toEqual([0, expect.stringContaining('merging 2 layers')]);
  expect(find('places-Country', '192.0.2.200')).toMatchObject({
    country: { iso_code: 'XZ', names: { de: 'Arkadien' } },
  });
  const explained = await folder.run('explain', 'places-Country', '192.0.2.200');
  expect(explained.stdout).toContain('country.iso_code: XZ  (own.csv:2)');
  expect(explained.stdout).toContain(`country.names.de: Arkadien  (${ARCHIVE}:2)`);
});

test.each([
  [['from-maxmind', ARCHIVE, '--language', 'fr'], 'has no names for --language fr: use one of de, en'],
  [
    ['from-maxmind', ARCHIVE, '--language', 'en,de', '--schema', 'flat'],
    'takes one language with --schema flat',
  ],
  [['from-maxmind', 'own.csv'], 'own.csv is neither a zip archive nor a folder'],
])('%j is refused', async (args, message) => {
  folder.write('own.csv', 'network,v\n');
  const { code, stderr } = await folder.run(...args);
  expect(code).toBeGreaterThan(0);
  expect(stderr).toContain(message);
});
