import { mkdirSync, utimesSync } from 'node:fs';
import { type LookupFolder, makeLookupFolder, removeLookupFolders } from './lookup-folder.js';
import { startLookupServer } from './lookup-server.js';

afterAll(removeLookupFolders);

const DENY = '; deny list\n192.0.2.0/24 ; SBL1\n\n198.51.100.7 # seen\n2001:db8::/32\n';
const AWS = JSON.stringify({
  prefixes: [
    { ip_prefix: '203.0.113.0/24', region: 'eu-west-1', service: 'AMAZON' },
    { ip_prefix: '203.0.113.0/25', region: 'eu-west-1', service: 'S3' },
  ],
  ipv6_prefixes: [{ ipv6_prefix: '2001:db8:a::/48', region: 'GLOBAL', service: 'AMAZON' }],
});

let folder: LookupFolder;

beforeEach(() => {
  folder = makeLookupFolder();
  // Long ago, so that it counts as left alone.
  utimesSync(folder.write('deny.txt', DENY), 0, 0);
  folder.write('ip-ranges.json', AWS);
});

const records = async (lookup: string, ...addresses: string[]) => {
  const { stdout } = await folder.run('show', lookup, ...addresses, '--json');
  return (JSON.parse(stdout) as { record: unknown }[]).map(({ record }) => record);
};

test('a list of networks becomes a lookup, with its comments and an added value', async () => {
  const built = await folder.run('from-csv', 'deny.txt', '-i', 'networks', '--set', 'list=deny', '--json');
  expect(JSON.parse(built.stdout)).toMatchObject({ lookup: 'deny', rows: 3, kept: 3 });
  expect(await records('deny', '192.0.2.9', '198.51.100.7', '2001:db8::1', '198.51.100.8')).toEqual([
    { comment: 'SBL1', list: 'deny' },
    { comment: 'seen', list: 'deny' },
    { list: 'deny' },
    null,
  ]);
  const options = ['--against', 'deny.txt', '-i', 'networks', '--set', 'list=deny'];
  expect((await folder.run('verify', 'deny', ...options)).code).toBe(0);
  folder.write('deny.txt', DENY.replace('SBL1', 'SBL2'));
  expect((await folder.run('verify', 'deny', ...options)).code).toBe(1);
});

test("a provider's ranges become a lookup, also from standard input", async () => {
  expect((await folder.run('from-csv', 'ip-ranges.json', '-i', 'networks')).code).toBe(0);
  const piped = ['from-csv', '-', '-i', 'networks', '-o', 'piped', '--overlap', 'specific'];
  expect((await folder.runWith(AWS, ...piped)).code).toBe(0);
  for (const lookup of ['ip-ranges', 'piped'])
    expect(await records(lookup, '203.0.113.1', '203.0.113.200', '2001:db8:a::1')).toEqual([
      { provider: 'aws', service: 'S3', region: 'eu-west-1' },
      { provider: 'aws', service: 'AMAZON', region: 'eu-west-1' },
      { provider: 'aws', service: 'AMAZON', region: 'GLOBAL' },
    ]);
});

test.each([
  ['deny.txt', `${DENY}10.0.0/8\n`, [], 'deny.txt: row 6, column network: "10.0.0/8" is not a network'],
  ['a.json', '{"a":1}', [], 'a.json: is JSON without known lists of networks'],
  ['a.json', '{"prefixes":[{"ip_prefix":7}]}', [], 'a.json: row 1, column network: "" is not a network'],
  [
    'a.json',
    '{"allow":["10.0.0.0/8"],"deny":["192.0.2.0/24"," ","192.0.2.7/24","80"]}',
    [],
    'svccmd: a.json: row 3, column network: " " is not a network (such as 192.0.2.0/24), a range (such as 192.0.2.0-192.0.2.9) or an address\nsvccmd: a.json: row 4, column network: "192.0.2.7/24" has bits set after its prefix\nsvccmd: a.json: row 5, column network: "80" is not a network (such as 192.0.2.0/24), a range (such as 192.0.2.0-192.0.2.9) or an address\n',
  ],
  [
    'a.txt',
    DENY,
    ['--no-header', '--column-names', 'a'],
    '--column-names cannot be used with the input format',
  ],
  ['a.txt', DENY, ['-s', '-'], 'the separator "-" cannot be used with the input format networks'],
])('%s: %j with %j is refused, naming its place', async (name, content, options, message) => {
  folder.write(name, content);
  const { code, stderr } = await folder.run('from-csv', name, '-i', 'networks', ...options);
  expect(code).toBeGreaterThan(0);
  expect(stderr).toContain(message);
});

test('guess recognises both', async () => {
  for (const name of ['deny.txt', 'ip-ranges.json'])
    expect((await folder.run('guess', name)).stdout).toBe(`svccmd iplookup from-csv ${name} -i networks\n`);
});

test('lists are layers, whose lines explain names', async () => {
  mkdirSync(folder.lookups);
  folder.declare(
    `lookups:
  known:
    layers:
      - {source: ip-ranges.json, input_ip_format: networks, overlap: specific}
      - {source: deny.txt, input_ip_format: networks, set: [list=deny]}
`,
  );
  expect((await folder.run('sync')).code).toBe(0);
  expect(await records('known', '203.0.113.1', '192.0.2.1')).toEqual([
    { provider: 'aws', service: 'S3', region: 'eu-west-1' },
    { comment: 'SBL1', list: 'deny' },
  ]);
  expect((await folder.run('explain', 'known', '198.51.100.7')).stdout).toContain(
    'comment: seen  (deny.txt:4)',
  );
});

test('the server builds them', async () => {
  const server = await startLookupServer(folder);
  const built = await server.post('/from-csv', { file_name: 'ip-ranges.json', input_ip_format: 'networks' });
  expect([built.status, await built.json()]).toEqual([200, expect.objectContaining({ kept: 3 })]);
  expect(await server.stop()).toBe(0);
});
