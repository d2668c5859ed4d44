import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { EPOCH, type LookupFolder, makeLookupFolder, removeLookupFolders } from './lookup-folder.js';
import { type LookupServer, startLookupServer } from './lookup-server.js';

afterAll(removeLookupFolders);

const HEADER = 'ip_from,ip_to,country\n';
const US = '10.0.0.0,10.0.255.255,US\n';
const DE = '10.1.0.0,10.1.255.255,DE\n';
const BUILD = ['from-csv', 'places.csv', '-i', 'ipv4'];

let folder: LookupFolder;
let former: Buffer;

beforeEach(async () => {
  folder = makeLookupFolder();
  folder.write('places.csv', HEADER + US + DE);
  expect((await folder.run(...BUILD, '--guards', '--max-changed', 'country=0')).code).toBe(0);
  former = lookup();
});

const lookup = (name = 'places.mmdb') => readFileSync(join(folder.lookups, name));

/** The former lookup is still there, and nothing else. */
function expectUntouched(): void {
  expect(readdirSync(folder.lookups)).toEqual(['places.mmdb']);
  expect(lookup().equals(former)).toBe(true);
}

test.each<[string, string, string[], string]>([
  [
    'lost addresses',
    US,
    ['--max-lost', '5%'],
    '--max-lost 5%: 50% of the addresses are lost in IPv4 (10.1.0.0/16)',
  ],
  ['the usual guards', US, ['--guards'], '--max-lost 5%: 50% of'],
  [
    'changed values',
    US + DE.replace('DE', 'FR'),
    ['--max-changed', 'country=10%'],
    '--max-changed country=10%: 50% of the addresses change their country in IPv4 (10.1.0.0/16: "DE" -> "FR")',
  ],
  [
    'a record that covers all',
    (US + DE).replace('DE', 'US'),
    ['--max-share', '60%'],
    '--max-share 60%: 100% of the addresses have the same record in IPv4 ({"country":"US"})',
  ],
  [
    'a probe',
    US + DE.replace('DE', 'FR'),
    ['--probe', '10.0.0.1 country US', '--probe', '10.1.0.1 country DE'],
    '--probe: 10.1.0.1 has the country "FR", not "DE"',
  ],
  [
    'an older build',
    US + DE,
    ['--not-older', '--build-epoch', '1600000000'],
    '--not-older: built 2020-09-13T12:26:40Z, the previous one 2023-11-14T22:13:20Z',
  ],
])('%s: refused, and the previous lookup is kept', async (_what, rows, guards, message) => {
  folder.write('places.csv', HEADER + rows);
  for (const form of [[], ['--gzip']]) {
    const { code, stdout, stderr } = await folder.run(...BUILD, ...guards, ...form);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('svccmd: the new lookup places fails a guard:\n');
    expect(stderr).toContain(message);
    expect(stderr).toContain('the previous lookup was kept; pass --force to replace it anyway\n');
    expectUntouched();
  }
});

test('without a previous lookup, none is written', async () => {
  const first = [...BUILD, '-o', 'first', '--probe', '10.0.0.1 country DE'];
  const { code, stderr } = await folder.run(...first);
  expect([code, stderr]).toEqual([
    1,
    'svccmd: the new lookup first fails a guard:\nsvccmd: --probe: 10.0.0.1 has the country "US", not "DE"\nsvccmd: no lookup was written; pass --force to write it anyway\n',
  ]);
  expectUntouched();
  expect((await folder.run(...first, '--force')).code).toBe(0);
});

test('probes come from a file too', async () => {
  writeFileSync(join(folder.path, 'probes.txt'), '# known\n10.0.0.1 country US\n10.1.0.1 country DE\n');
  const { code, stdout } = await folder.run(...BUILD, '--probes', 'probes.txt');
  expect([code, stdout]).toEqual([0, expect.stringContaining('guards:   --probe: 2 of 2 hold\n')]);
  expect(await folder.run(...BUILD, '--probes', 'none.txt')).toMatchObject({
    code: 1,
    stderr: 'svccmd: none.txt: cannot be read: the file does not exist\n',
  });
});

test('--force replaces the lookup, and the result says who did', async () => {
  folder.write('places.csv', HEADER + US);
  const { code, stdout, stderr } = await folder.run(...BUILD, '--guards', '--force', '--json');
  expect(code).toBe(0);
  expect(stderr).toContain(`warning: forced by ${userInfo().username}: --max-lost 5%: 50% of`);
  const summary = JSON.parse(stdout) as { guards: object[] };
  expect(summary).toMatchObject({ forcedBy: userInfo().username });
  expect(summary.guards).toContainEqual({
    guard: 'maxLost',
    limit: '5%',
    passed: false,
    found: '50% of the addresses are lost in IPv4 (10.1.0.0/16)',
  });
  expect(lookup().equals(former)).toBe(false);
  const again = await folder.run(...BUILD, '--guards', '--force', '--json');
  expect(JSON.parse(again.stdout)).not.toHaveProperty('forcedBy');
});

test('the previous lookup is the one that readers find, plain or gzipped', async () => {
  const gzipped = await folder.run(...BUILD, '--gzip', '--max-lost', '0');
  expect(gzipped.code).toBe(0);
  folder.write('places.csv', HEADER + US);
  const { code, stderr } = await folder.run(...BUILD, '--max-lost', '0');
  expect([code, stderr]).toEqual([1, expect.stringContaining('50% of the addresses are lost')]);
  expect(lookup().equals(former)).toBe(true);
});

test('a previous lookup that cannot be read fails the guards that compare', async () => {
  writeFileSync(join(folder.lookups, 'places.mmdb'), 'the previous lookup');
  const { code, stderr } = await folder.run(...BUILD, '--guards');
  expect([code, stderr]).toEqual([1, expect.stringContaining('the previous lookup cannot be compared: ')]);
  expect(lookup().toString()).toBe('the previous lookup');
  expect((await folder.run(...BUILD, '--verify')).code).toBe(0);
});

test.each([
  ['--max-lost', '-1', '--max-lost takes a percentage such as 5%, but "-1" is not one'],
  ['--max-changed', 'country', '--max-changed takes a column and a percentage'],
  ['--max-changed', 'contry=5%', '--max-changed names the column contry'],
  ['--probe', '10.0.0.1 US', '--probe takes an address, a column and a value'],
])('%s %s is refused', async (option, value, message) => {
  const { code, stderr } = await folder.run(...BUILD, `${option}=${value}`);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  expectUntouched();
});

describe('over HTTP', () => {
  let server: LookupServer;
  const body = { file_name: 'places.csv', input_ip_format: 'ipv4' };

  beforeEach(async () => {
    server = await startLookupServer(folder);
  });
  afterEach(async () => {
    expect(await server.stop()).toBe(0);
  });

  test('failed guards are listed, and a token may force them', async () => {
    folder.write('places.csv', HEADER + US);
    const guards = {
      verify: true,
      max_lost: 5,
      max_changed: ['country=10%'],
      probe: ['10.1.0.1 country DE'],
    };
    const refused = await server.post('/from-csv', { ...body, ...guards });
    expect(refused.status).toBe(422);
    expect(await refused.json()).toMatchObject({
      title: 'Guard failed',
      detail: 'The new lookup places fails 3 guards (see errors); the previous one was kept.',
      errors: [
        {
          field: 'max_lost',
          code: 'guard',
          message: '5%: 50% of the addresses are lost in IPv4 (10.1.0.0/16)',
        },
        { field: 'max_changed', message: expect.stringContaining('country=10%: 50% of') },
        { field: 'probe', message: '10.1.0.1 has no record, not "DE"' },
      ],
    });
    expectUntouched();
    const forced = await server.post('/from-csv', { ...body, ...guards, force: true });
    expect(forced.status).toBe(200);
    expect(await forced.json()).toMatchObject({ forced_by: 'token', guards: { length: 4 } });
    expect(lookup().equals(former)).toBe(false);
  });

  test('guards of an upload are parameters of the query, and checked before it is received', async () => {
    const upload = (query: string, csv: string) =>
      server.send(`/from-csv?lookup_name=places&input_ip_format=ipv4&build_epoch=${EPOCH}&${query}`, {
        method: 'POST',
        headers: { 'content-type': 'text/csv' },
        body: csv,
      });
    expect((await upload('guards&max_lost=10%25', HEADER + US)).status).toBe(422);
    expect((await upload('max_lost=many', HEADER + US)).status).toBe(400);
    expect((await upload('probes=probes.txt', HEADER + US)).status).toBe(400);
    expectUntouched();
    expect((await upload('guards', HEADER + US + DE)).status).toBe(200);
  });
});
