import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { openLookup } from '@svc/iplookup-core';
import { startSvccmd } from '../shell/run-svccmd.js';
import { runUntilChange } from './file-changes.js';
import { type LookupFolder, makeLookupFolder, placeRows, removeLookupFolders } from './lookup-folder.js';

afterAll(removeLookupFolders);

const CSV = 'ip_from,ip_to,site\n10.0.0.0,10.0.255.255,Head office\n10.1.0.0,10.1.255.255,Warehouse\n';
const DB11 = 'IP2LOCATION-LITE-DB11.CSV';
const COLUMNS = 'country_code country_name region_name city_name latitude longitude zip_code time_zone'.split(
  ' ',
);

let folder: LookupFolder;
const fileOf = (name: string) => readFileSync(join(folder.lookups, name));

beforeEach(() => {
  folder = makeLookupFolder();
  folder.write('sites.csv', CSV);
  folder.write(DB11, placeRows(300, 4));
});

test.each(['from-csv', 'from-vendor'])('%s explains every option', async (command) => {
  const { code, stdout } = await folder.run(command, '--help');
  expect(code).toBe(0);
  const options = [
    '-h, --help',
    '-g, --gzip',
    '-i, --input-ip-format',
    '-s, --separator',
    '-o, --lookup-name',
  ];
  const own = command === 'from-vendor' ? ['-c, --column-names', '-e, --keep-empty-rows'] : ['--no-header'];
  for (const option of [...options, '--include-ip-range', '--force-ipv4', ...own])
    expect(stdout).toContain(option);
});

test.each([
  [['-g', '-s', ';', '-i', 'ipv4', '-o', 'zones']],
  [['--gzip', '--separator', ';', '--input-ip-format', 'ipv4', '--lookup-name', 'zones']],
  [['--gzip', '--separator', ';', '--input-ip-format', 'ipv4', '--zone-name', 'zones']],
])('from-csv with %p', async (options) => {
  folder.write('semi.csv', CSV.replaceAll(',', ';'));
  const { code } = await folder.run('from-csv', 'semi.csv', ...options, '--include-ip-range', '--force-ipv4');
  expect(code).toBe(0);
  const lookup = openLookup(gunzipSync(fileOf('zones.mmdb.gz')));
  expect(lookup.metadata).toMatchObject({ databaseType: 'zones', ipVersion: 4, buildEpoch: 1_700_000_000 });
  expect(lookup.find('10.1.2.3')).toEqual({ ip_from: '10.1.0.0', ip_to: '10.1.255.255', site: 'Warehouse' });
});

test('the summary is one JSON document on demand', async () => {
  const { code, stdout, stderr } = await folder.run('from-vendor', DB11, '--json');
  expect([code, stderr]).toEqual([0, '']);
  expect(JSON.parse(stdout)).toMatchObject({
    rows: 301,
    kept: 283,
    dropped: 18,
    emptyRows: 18,
    skipped: 0,
    overlaps: 0,
  });
});

test.each([
  [[], 2],
  [['--keep-empty-rows'], 2],
  [['--empty-rows', 'all'], 1],
])('a file recognised by its rows with %j keeps %i rows', async (options, kept) => {
  folder.write('countries.csv', '1.0.0.0,1.0.0.255,XA\n1.0.1.0,1.0.1.255,\n');
  const { stdout } = await folder.run('from-vendor', 'countries.csv', '--json', ...options);
  expect(JSON.parse(stdout)).toMatchObject({ rows: 2, kept });
});

test('columns and format spelled out give the same file, before or after the file name', async () => {
  await folder.run('from-vendor', DB11);
  const inferred = fileOf('IP2LOCATION-LITE-DB11.mmdb');
  folder.write('renamed.csv', placeRows(300, 4));
  const name = ['-o', 'IP2LOCATION-LITE-DB11'];
  for (const args of [
    ['renamed.csv', '-c', ...COLUMNS, '-i', 'ipv4-int'],
    ['renamed.csv', '-i', 'ipv4-int', '-c', COLUMNS.join(' ')],
    ['-i', 'ipv4-int', '-c', `ip_from ip_to ${COLUMNS.join(' ')}`, 'renamed.csv'],
  ]) {
    writeFileSync(join(folder.lookups, 'IP2LOCATION-LITE-DB11.mmdb'), 'former');
    expect((await folder.run('from-vendor', ...name, ...args)).code).toBe(0);
    expect(fileOf('IP2LOCATION-LITE-DB11.mmdb').equals(inferred)).toBe(true);
  }
});

test.each([
  [['from-vendor', '-i', 'ipv4-int', '-c', 'site', 'rows.csv'], '16777216,16777471,Depot\n'],
  [['from-vendor', 'rows.csv', '-i', 'ipv4-int', '-c', 'site'], '16777216,16777471,Depot\n'],
  [['from-vendor', '-c', 'ip_from ip_to site', '-i', 'ipv4-int', 'rows.csv'], '16777216,16777471,Depot\n'],
  [
    ['from-csv', '--no-header', '-i', 'ipv4', '--column-names', 'ip_from ip_to site', 'rows.csv'],
    '1.0.0.0,1.0.0.255,Depot\n',
  ],
  [['from-csv', '--no-header', '-i', 'cidr', '--column-names', 'site', 'rows.csv'], '1.0.0.0/24,Depot\n'],
  [
    ['from-csv', 'rows.csv', '--no-header', '-i', 'cidr', '--column-names', 'network', 'site'],
    '1.0.0.0/24,Depot\n',
  ],
])('%j names the columns', async (args, csv) => {
  folder.write('rows.csv', csv);
  expect(await folder.run(...args)).toMatchObject({ code: 0, stderr: '' });
  expect(openLookup(fileOf('rows.mmdb')).find('1.0.0.9')).toEqual({ site: 'Depot' });
});

test('plain, gzipped and from standard input it is the same', async () => {
  await folder.run('from-csv', 'sites.csv', '-i', 'ipv4');
  const plain = fileOf('sites.mmdb');
  folder.write('sites.csv.gz', gzipSync(CSV));
  await folder.run('from-csv', 'sites.csv.gz', '-i', 'ipv4');
  expect(fileOf('sites.mmdb').equals(plain)).toBe(true);
  const piped = await folder.runWith(CSV, 'from-csv', '-', '-i', 'ipv4', '-o', 'sites');
  expect([piped.code, piped.stderr]).toEqual([0, '']);
  expect(fileOf('sites.mmdb').equals(plain)).toBe(true);
});

test('invalid rows exit with 1, are listed, and leave only the previous lookup', async () => {
  mkdirSync(folder.lookups);
  writeFileSync(join(folder.lookups, 'sites.mmdb'), 'former');
  folder.write('sites.csv', `${CSV}10.2.0,10.2.0.1,Bad\n`);
  const { code, stderr, stdout } = await folder.run('from-csv', 'sites.csv', '-i', 'ipv4');
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('svccmd: sites.csv: row 4, column ip_from: "10.2.0" is not an IPv4 address\n');
  expect(readdirSync(folder.lookups)).toEqual(['sites.mmdb']);
  expect(fileOf('sites.mmdb').toString()).toBe('former');
  expect((await folder.run('from-csv', 'sites.csv', '-i', 'ipv4', '--skip-invalid')).code).toBe(0);
  expect(openLookup(fileOf('sites.mmdb')).find('10.1.2.3')).toEqual({ site: 'Warehouse' });
});

const manyRows = (count: number) =>
  Array.from({ length: count }, (_, index) => `${index * 9},${index * 9 + 3},value ${index}\n`).join('');

test.each(['SIGKILL', 'SIGTERM'] as const)(
  '%s while the input is read leaves the former lookup alone',
  async (signal) => {
    mkdirSync(folder.lookups);
    writeFileSync(join(folder.lookups, 'many.mmdb'), 'former');
    const child = startSvccmd(['iplookup', 'from-csv', '-', '-i', 'ipv4-int', '-o', 'many'], {
      cwd: folder.path,
    });
    const ended = new Promise((resolve) => child.once('close', resolve));
    // More than a pipe holds: once it is written, the program has begun to read; and it waits for the rest.
    const input = `ip_from,ip_to,v\n${manyRows(50_000)}`;
    await new Promise((resolve) => child.stdin.on('error', () => undefined).write(input, resolve));
    child.kill(signal);
    await ended;
    expect(readdirSync(folder.lookups)).toEqual(['many.mmdb']);
    expect(fileOf('many.mmdb').toString()).toBe('former');
  },
);

test('SIGKILL while the lookup is written leaves the former one', async () => {
  mkdirSync(folder.lookups);
  writeFileSync(join(folder.lookups, 'many.mmdb'), 'former');
  folder.write('many.csv', `ip_from,ip_to,v\n${manyRows(200_000)}`);
  const words = ['iplookup', 'from-csv', 'many.csv', '-i', 'ipv4-int'];
  const killed = await runUntilChange(words, { cwd: folder.path }, 'after open .many.mmdb.partial');
  expect(killed.code).toBeUndefined();
  expect(readdirSync(folder.lookups)).toHaveLength(2);
  expect(fileOf('many.mmdb').toString()).toBe('former');
  expect((await folder.run('from-csv', 'many.csv', '-i', 'ipv4-int')).code).toBe(0);
  expect(openLookup(fileOf('many.mmdb')).find('0.0.0.9')).toEqual({ v: 'value 1' });
});

test('columns are typed, and `--types` may stand before the file name', async () => {
  folder.write('typed.csv', 'ip_from,ip_to,latitude,hosting\n10.0.0.0,10.0.0.255,1.50,true\n');
  const record = async (...args: string[]) => {
    const { code, stderr } = await folder.run('from-csv', '-i', 'ipv4', '-o', 'typed', ...args);
    expect([code, stderr]).toEqual([0, '']);
    return openLookup(fileOf('typed.mmdb')).find('10.0.0.1');
  };
  expect(await record('--types', 'typed.csv')).toEqual({ latitude: 1.5, hosting: 'true' });
  const options = ['--types', 'hosting=boolean', '--set', 'a=1', '--set', 'b=2'];
  expect(await record('typed.csv', ...options)).toEqual({ latitude: '1.50', hosting: true, a: '1', b: '2' });
  expect((await folder.run('from-csv', 'typed.csv', '-i', 'ipv4', '--types', 'hosting')).stderr).toContain(
    '--types takes pairs such as asn=uint32, but "hosting" is not one',
  );
});

test('where rows overlap, the more specific one wins on request; the summary says when it would', async () => {
  folder.write('own.csv', 'network,site\n10.1.0.0/16,Depot\n10.0.0.0/8,Elsewhere\n');
  const later = await folder.run('from-csv', 'own.csv', '-i', 'cidr');
  expect(later.stderr.split('\n')).toContain(
    '1 row is overridden by a later row with more addresses: --overlap specific would let the smaller one win',
  );
  expect(openLookup(fileOf('own.mmdb')).find('10.1.2.3')).toEqual({ site: 'Elsewhere' });
  const specific = await folder.run('from-csv', 'own.csv', '-i', 'cidr', '--overlap', 'specific', '--json');
  expect(JSON.parse(specific.stdout)).toMatchObject({ overlaps: 1, overriddenSpecific: 0 });
  expect(openLookup(fileOf('own.mmdb')).find('10.1.2.3')).toEqual({ site: 'Depot' });
  const verify = async (...args: string[]) =>
    (await folder.run('verify', 'own', '--against', 'own.csv', '-i', 'cidr', ...args)).code;
  expect([await verify(), await verify('--overlap', 'specific')]).toEqual([1, 0]);
  expect((await folder.run('from-csv', 'own.csv', '-i', 'cidr', '--overlap', 'error')).code).toBe(1);
});

test('`guess` prints the command that builds a lookup from a file, which then works as it is', async () => {
  folder.write('own sites.csv', '10.0.0.0;10.0.0.255;AU;true\n10.0.1.0;10.0.1.255;DE;false\n');
  const { code, stdout, stderr } = await folder.run('guess', 'own sites.csv');
  expect([code, stderr.split('\n')[0]]).toEqual([0, 'rows read: 2; columns: country_code, value_2']);
  expect(stderr).toContain('the file has no column names: give value_2 better ones');
  const command =
    "svccmd iplookup from-csv 'own sites.csv' -i auto -s ';' --no-header --types value_2=boolean -o own-sites --column-names country_code value_2";
  expect(stdout.trim()).toBe(command);
  const words = (
    JSON.parse((await folder.run('guess', 'own sites.csv', '--json')).stdout) as { command: string[] }
  ).command;
  expect((await folder.run(...words.slice(2))).code).toBe(0);
  expect(openLookup(fileOf('own-sites.mmdb')).find('10.0.1.7')).toEqual({
    country_code: 'DE',
    value_2: false,
  });
  folder.write('words.csv', 'no,address\nany,where\n');
  const failed = await folder.run('guess', 'words.csv');
  expect([failed.code, failed.stderr]).toEqual([
    1,
    'svccmd: words.csv: has no addresses where they should be: the first column must hold networks, or the first two the first and last address of each range\n',
  ]);
});

test('the command that `guess` prints has no types of columns whose names cannot be in a list', async () => {
  folder.write('odd.csv', 'network,"a,b",c=d, e,f\n10.0.0.0/8,true,true,true,true\n');
  const { stdout } = await folder.run('guess', 'odd.csv');
  expect(stdout.trim()).toBe('svccmd iplookup from-csv odd.csv -i cidr --types f=boolean');
  expect((await folder.run(...stdout.trim().split(' ').slice(2))).code).toBe(0);
});

test('another file is joined: its columns, and unmatched references', async () => {
  folder.write('blocks.csv', 'network,id\n10.0.0.0/8,1\n11.0.0.0/8,2\n12.0.0.0/8,3\n');
  folder.write('places.csv.gz', gzipSync('id,city\n1,Brno\n'));
  const { code, stderr } = await folder.run(
    'from-csv',
    'blocks.csv',
    '-i',
    'cidr',
    '--join',
    'places.csv.gz:id',
  );
  expect([code, stderr]).toEqual([0, '2 values of id have no row in places.csv.gz: "2", "3"\n']);
  expect(openLookup(fileOf('blocks.mmdb')).find('10.1.1.1')).toEqual({ id: '1', city: 'Brno' });
  const refusal = async (join: string) =>
    (await folder.run('from-csv', 'blocks.csv', '-i', 'cidr', '--join', join)).stderr;
  expect(await refusal('places.csv')).toContain(
    '--join takes a file and its key, such as Locations.csv:geoname_id',
  );
  expect(await refusal('none.csv:id')).toContain('none.csv');
  expect(await refusal('places.csv.gz:code')).toContain(
    'places.csv.gz: row 1: has no column "code"; it has id, city',
  );
});

test('columns whose names contain blanks are dropped, kept, renamed and typed', async () => {
  folder.write('blanks.csv', 'network,Net Speed,AS Name,AS Number\n1.0.0.0/24,fast,Example,64500\n');
  const record = async (...options: string[]) => {
    expect(await folder.run('from-csv', 'blanks.csv', '-i', 'cidr', ...options)).toMatchObject({
      code: 0,
      stderr: '',
    });
    return openLookup(fileOf('blanks.mmdb')).find('1.0.0.9');
  };
  const named = ['--rename', 'AS Name=as_name, AS Number=asn', '--types', 'AS Number=uint32'];
  expect(await record('--drop-columns', 'Net Speed', ...named)).toEqual({ as_name: 'Example', asn: 64500 });
  expect(await record('--keep-columns', 'AS Name, Net Speed')).toEqual({
    'AS Name': 'Example',
    'Net Speed': 'fast',
  });
});
