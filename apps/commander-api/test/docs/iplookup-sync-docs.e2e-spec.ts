import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Reader } from '@maxmind/geoip2-node';
import { type LookupFolder, makeLookupFolder, removeLookupFolders } from '../iplookup/lookup-folder.js';
import { expectSuccess, typeLine } from '../shell/type-line.js';

afterAll(removeLookupFolders);

const PAGE = readFileSync(new URL('../../../../docs/iplookup-sync.md', import.meta.url), 'utf8');
const block = (language: string) => new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'ms').exec(PAGE)![1]!;

let folder: LookupFolder;

beforeEach(() => {
  folder = makeLookupFolder();
  mkdirSync(folder.lookups);
});

test("MaxMind's archive and own networks become its records, as docs/iplookup-sync.md declares them", async () => {
  folder.declare(/(?<=^```yaml\n)lookups:\n {2}GeoLite2-City:.*?(?=^```)/ms.exec(PAGE)![0]);
  const blocks =
    'network,geoname_id,registered_country_geoname_id,represented_country_geoname_id,is_anonymous_proxy,is_satellite_provider,postal_code,latitude,longitude,accuracy_radius,is_anycast\n';
  const places =
    'geoname_id,locale_code,continent_code,continent_name,country_iso_code,country_name,subdivision_1_iso_code,subdivision_1_name,subdivision_2_iso_code,subdivision_2_name,city_name,metro_code,time_zone,is_in_european_union\n';
  folder.writeZip('GeoLite2-City-CSV_20260101.zip', {
    'GeoLite2-City-Blocks-IPv4.csv': `${blocks}192.0.2.0/25,501,900,,0,0,60200,49.1952,16.6080,20,\n`,
    'GeoLite2-City-Blocks-IPv6.csv': `${blocks}2001:db8::/32,501,502,,0,0,,49.1952,16.6080,100,\n`,
    'GeoLite2-City-Locations-en.csv': `${places}501,en,EU,Europe,XC,Exampleland,64,"South, Example",642,Example,Exampleton,,Europe/Prague,1\n502,en,EU,Europe,XD,Otherland,,,,,,,Europe/Berlin,1\n900,en,EU,Europe,XS,Thirdland,,,,,,,Europe/Zurich,0\n`,
    'GeoLite2-City-Locations-de.csv': `${places}501,de,EU,Europa,XC,Beispielland,64,,642,,Beispielstadt,,Europe/Prague,1\n`,
  });
  folder.write('offices.csv', 'network,city_name\n192.0.2.64/26,Office\n');
  expect((await folder.run('sync')).stdout).toMatch(/^GeoLite2-City {2}built/);
  const reader = Reader.openBuffer(readFileSync(join(folder.lookups, 'GeoLite2-City.mmdb')));
  expect(reader.city('192.0.2.1')).toMatchObject({
    city: { geonameId: 501, names: { de: 'Beispielstadt', en: 'Exampleton' } },
    continent: { code: 'EU', geonameId: 6255148, names: { de: 'Europa', en: 'Europe' } },
    country: { isoCode: 'XC', isInEuropeanUnion: true, names: { en: 'Exampleland' } },
    location: { latitude: 49.1952, longitude: 16.608, accuracyRadius: 20, timeZone: 'Europe/Prague' },
    postal: { code: '60200' },
    registeredCountry: { isoCode: 'XS', geonameId: 900, names: { en: 'Thirdland' } },
    subdivisions: [{ isoCode: '64', names: { en: 'South, Example' } }, { isoCode: '642' }],
  });
  expect(reader.city('192.0.2.100')).toMatchObject({
    city: { names: { en: 'Office' } },
    country: { isoCode: 'XC' },
  });
  expect(reader.city('2001:db8::1')).toMatchObject({
    country: { isoCode: 'XC' },
    registeredCountry: { isoCode: 'XD' },
  });
});

test('the example of docs/iplookup-sync.md prints what the page shows', async () => {
  mkdirSync(join(folder.path, 'bin'));
  const program = new URL('../../bin/svccmd.js', import.meta.url).pathname;
  symlinkSync(program, join(folder.path, 'bin', 'svccmd'));
  writeFileSync(join(folder.path, 'svccmd.conf'), block('ini'));
  folder.declare(block('yaml'));
  const commands = block('console').match(/(?<=^\$ ).*$/gm)!;
  await expectSuccess(commands, { cwd: folder.path });
  const { stdout } = await typeLine(commands.at(-1)!, { cwd: folder.path });
  expect(PAGE).toContain(`prints:\n\n\`\`\`\n${stdout}\`\`\`\n`);
});
