import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type LookupFolder, makeLookupFolder, removeLookupFolders } from './lookup-folder.js';
import { startLookupServer } from './lookup-server.js';

afterAll(removeLookupFolders);

const CSV = 'network,site\n10.0.0.0/8,Depot\n';
const BUILD = ['from-csv', 'sites.csv', '-i', 'cidr'];
const TOKEN = 'a-token-for-consumers-0123456789-0123456789';

let folder: LookupFolder;
const node = (name: string) => join(folder.path, 'cluster/lookups', name);
const announcement = (name: string) =>
  JSON.parse(readFileSync(node(name), 'utf8')) as Record<string, unknown>;

function configure(
  more = 'announce = /lookups\nurl = https://commander.example.com/\n',
  destination = '',
): void {
  writeFileSync(
    join(folder.path, 'svccmd.conf'),
    `[destination]\nurls = file://${folder.path}/cluster\npath = /library\n${destination}[iplookup]\nsource_path = in\ndestination_path = out\n${more}[http]\naddress = 127.0.0.1\n[token:parser]\nscopes = iplookup:read\ntoken = ${TOKEN}\n`,
  );
}

beforeEach(() => {
  folder = makeLookupFolder();
  configure();
  folder.write('sites.csv', CSV);
});

test('announcements follow the lookups: version, checksum, size and URL', async () => {
  await folder.run(...BUILD);
  expect((await folder.run('announce')).stdout).toBe('announced sites\n');
  const content = readFileSync(join(folder.lookups, 'sites.mmdb'));
  expect(announcement('sites')).toEqual({
    name: 'sites',
    version: 1,
    file: 'sites.mmdb',
    sha256: createHash('sha256').update(content).digest('hex'),
    bytes: content.length,
    modified: expect.any(String),
    url: 'https://commander.example.com/iplookup/sites.mmdb',
  });
  expect((await folder.run('announce')).stdout).toBe('all announcements are up to date\n');
  folder.write('sites.csv', CSV.replace('Depot', 'Office'));
  await folder.run(...BUILD);
  await folder.run(...BUILD, '-o', 'other');
  expect(JSON.parse((await folder.run('announce', '--json')).stdout)).toEqual({
    announced: ['other', 'sites'],
    withdrawn: [],
  });
  expect(announcement('sites')).toMatchObject({ version: 2 });
  await folder.run('delete', 'other');
  expect((await folder.run('announce')).stdout).toBe('withdrew other\n');
  expect(readdirSync(join(folder.path, 'cluster/lookups'))).toEqual(['sites']);
});

test.each([
  ['', 'iplookup.announce is not set'],
  ['announce = /library/lookups\n', "the library's node destination.path /library overlap"],
  ['announce = /\n', "the library's node destination.path /library overlap"],
])('with %j nothing is announced', async (setting, message) => {
  configure(setting);
  await folder.run(...BUILD);
  const { code, stderr } = await folder.run('announce');
  expect([code, stderr]).toEqual([3, expect.stringContaining(message)]);
  expect(existsSync(join(folder.path, 'cluster'))).toBe(false);
});

test('the server does not start without a folder to announce from', async () => {
  configure();
  const path = join(folder.path, 'svccmd.conf');
  writeFileSync(path, readFileSync(path, 'utf8').replace(/^destination_path.*\n/m, ''));
  await expect(startLookupServer(folder)).rejects.toThrow('iplookup.destination_path is not set');
});

test('the server announces what others build and delete; the second token reads lookups and nothing else', async () => {
  await folder.run(...BUILD);
  const server = await startLookupServer(folder);
  try {
    while (!existsSync(node('sites'))) await sleep(50);
    const headers = { authorization: `Bearer ${TOKEN}` };
    const download = await server.send(`/${String(announcement('sites')['file'])}`, { headers });
    const content = Buffer.from(await download.arrayBuffer());
    expect(createHash('sha256').update(content).digest('hex')).toBe(announcement('sites')['sha256']);
    const statuses = [
      await server.send('', { headers }),
      await server.send('/sites/10.0.0.1', { headers }),
      await server.send('/sites', { method: 'DELETE', headers }),
      await server.send('/from-csv?lookup_name=x', {
        method: 'POST',
        headers: { ...headers, 'content-type': 'text/csv' },
        body: CSV,
      }),
      await fetch(`${server.url}/library/status`, { headers }),
      await fetch(`${server.url}/metrics`, { headers }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 403, 403, 403, 403]);
    rmSync(join(folder.lookups, 'sites.mmdb'));
    while (existsSync(node('sites'))) await sleep(50);
    expect(server.output()).toContain('lookups announced');
    expect(server.output()).not.toContain(TOKEN);
  } finally {
    await server.stop();
  }
});
