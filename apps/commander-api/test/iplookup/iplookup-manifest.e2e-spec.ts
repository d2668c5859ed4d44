import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LookupFolder, makeLookupFolder, removeLookupFolders } from './lookup-folder.js';

afterAll(removeLookupFolders);

const CSV = 'ip_from,ip_to,site\n10.0.0.0,10.0.0.255,first\n';
const BUILD = ['from-csv', 'sites.csv', '-i', 'ipv4'];
const sha256 = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex');

let folder: LookupFolder;

interface Manifest {
  readonly sources: readonly { readonly name: string; readonly sha256?: string }[];
}

const manifestOf = async (lookup = 'sites'): Promise<Manifest | undefined> => {
  const { stdout } = await folder.run('inspect', lookup, '--json');
  return (JSON.parse(stdout) as { manifest?: Manifest }).manifest;
};

beforeEach(() => {
  folder = makeLookupFolder();
  const settings = 'source_path = in\ndestination_path = out\nmanifests = yes\n';
  writeFileSync(join(folder.path, 'svccmd.conf'), `[iplookup]\n${settings}`);
  folder.write('sites.csv', CSV);
});

test('a manifest records what the lookup was built from', async () => {
  expect((await folder.run(...BUILD, '--verify')).code).toBe(0);
  expect(await manifestOf()).toMatchObject({
    file: 'sites.mmdb',
    sha256: sha256(readFileSync(join(folder.lookups, 'sites.mmdb'))),
    built: '2023-11-14T22:13:20.000Z',
    tool: expect.stringMatching(/^svccmd \d/),
    sources: [{ name: 'sites.csv', bytes: CSV.length, sha256: sha256(CSV) }],
    options: { kind: 'csv', inputFormat: 'ipv4' },
    rows: 1,
    guards: [{ guard: 'verify', passed: true }],
  });
  expect((await folder.run('inspect', 'sites')).stdout).toContain(`"sha256": "${sha256(CSV)}"`);
  expect(readdirSync(folder.lookups).sort()).toEqual(['.history', 'sites.mmdb']);
});

test.each([
  ['from-csv', 'missing.csv', '-i', 'ipv4'],
  [...BUILD, '--join', 'missing.csv:site'],
])('a file that does not exist is reported as without manifests: %s %s %s %s %s', async (...args) => {
  const { code, stderr } = await folder.run(...args);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/missing\.csv does not exist/)]);
});

test('a forced build says who did', async () => {
  await folder.run(...BUILD);
  folder.write('sites.csv', 'ip_from,ip_to,site\n');
  expect((await folder.run(...BUILD, '--guards', '--force')).code).toBe(0);
  expect(await manifestOf()).toMatchObject({ forcedBy: expect.any(String), rows: 0 });
});

test('after a rollback or a failed build, a lookup has its own manifest; another file has none', async () => {
  await folder.run(...BUILD);
  const first = await manifestOf();
  folder.write('sites.csv', CSV.replace('first', 'second'));
  await folder.run(...BUILD);
  const second = await manifestOf();
  expect(second?.sources[0]?.sha256).not.toBe(first?.sources[0]?.sha256);
  folder.write('sites.csv', 'ip_from,ip_to,site\n');
  expect((await folder.run(...BUILD, '--guards')).code).toBe(1);
  expect(await manifestOf()).toEqual(second);
  await folder.run('rollback', 'sites');
  expect(await manifestOf()).toEqual(first);
  await folder.run(...BUILD, '-o', 'other');
  writeFileSync(join(folder.lookups, 'sites.mmdb'), readFileSync(join(folder.lookups, 'other.mmdb')));
  expect(await manifestOf()).toBeUndefined();
});

test("the vendor's free data are attributed, and standard input has no source", async () => {
  folder.write('IP2LOCATION-LITE-DB1.CSV', '"16777216","16777471","AU","Australia"\n');
  await folder.run('from-vendor', 'IP2LOCATION-LITE-DB1.CSV');
  expect(await manifestOf('IP2LOCATION-LITE-DB1')).toMatchObject({
    attribution: expect.stringContaining('https://lite.ip2location.com'),
  });
  await folder.runWith(CSV, 'from-csv', '-', '-i', 'ipv4', '-o', 'piped');
  expect(await manifestOf('piped')).toMatchObject({ sources: [] });
});

test('without the setting, there is none', async () => {
  writeFileSync(join(folder.path, 'svccmd.conf'), '[iplookup]\nsource_path = in\ndestination_path = out\n');
  await folder.run(...BUILD);
  expect(await manifestOf()).toBeUndefined();
  expect(readdirSync(folder.lookups)).toEqual(['sites.mmdb']);
});

test('a declared lookup has one, too: files with their terms, rows, and who forced it', async () => {
  const settings = 'source_path = in\ndestination_path = out\nmanifests = yes\ndeclarations = lookups.yaml\n';
  writeFileSync(join(folder.path, 'svccmd.conf'), `[iplookup]\n${settings}`);
  const base = '{source: dbip-country-lite.csv, kind: vendor, licence: CC BY 4.0}';
  writeFileSync(
    join(folder.path, 'lookups.yaml'),
    `lookups:\n  geo:\n    layers:\n      - ${base}\n      - {source: sites.csv, input_ip_format: ipv4, attribution: ours}\n`,
  );
  const dbip = '10.0.0.0,10.255.255.255,XA\n192.0.2.0,192.0.2.9,XB\n';
  folder.write('dbip-country-lite.csv', dbip);
  expect((await folder.run('sync')).stderr).not.toContain('svccmd: ');
  expect(await manifestOf('geo')).toMatchObject({
    file: 'geo.mmdb',
    sha256: sha256(readFileSync(join(folder.lookups, 'geo.mmdb'))),
    layers: [
      {
        kind: 'vendor',
        source: { name: 'dbip-country-lite.csv', bytes: dbip.length, sha256: sha256(dbip) },
        rows: 2,
        licence: 'CC BY 4.0',
        attribution: 'IP Geolocation by DB-IP, https://db-ip.com',
      },
      { kind: 'csv', source: { name: 'sites.csv' }, rows: 1, attribution: 'ours' },
    ],
    guards: expect.arrayContaining([expect.objectContaining({ guard: 'verify', passed: true })]),
  });
  // The vendor's file lacks most of its networks.
  folder.write('dbip-country-lite.csv', '192.0.2.0,192.0.2.9,XB\n');
  expect((await folder.run('sync')).code).toBe(1);
  expect((await folder.run('sync', '--force')).code).toBe(0);
  expect(await manifestOf('geo')).toMatchObject({
    forcedBy: expect.any(String),
    layers: [{ rows: 1 }, { rows: 1 }],
  });
});
