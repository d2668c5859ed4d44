import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openLookup } from '@svc/iplookup-core';
import { startHttpProxy } from '@svc/test-servers';
import { runSvccmd, startSvccmd } from '../shell/run-svccmd.js';
import { type LookupFolder, makeLookupFolder, removeLookupFolders } from './lookup-folder.js';
import { type Answer, sendFile, type SourceServer, startSourceServer } from './source-server.js';

afterAll(removeLookupFolders);

const ROWS = 'network,country\n10.0.0.0/8,CZ\n';

let server: SourceServer;
let folder: LookupFolder;

beforeAll(async () => {
  server = await startSourceServer();
});
afterAll(async () => server.stop());

beforeEach(() => {
  folder = makeLookupFolder();
  mkdirSync(folder.lookups);
  server.requests = [];
  server.answers = { '/base.csv': sendFile(ROWS) };
  configure();
  declare();
});

function configure(settings = 'hosts = localhost\nprivate_networks = 127.0.0.0/8, ::1\n'): void {
  writeFileSync(
    join(folder.path, 'svccmd.conf'),
    `[pwdencryptor]\nkey = password.key\n[iplookup]\nsource_path = in\ndestination_path = out\ndeclarations = lookups.yaml\nca = ${server.ca}\n${settings}`,
  );
}

function declare(keys = '', path = '/base.csv'): void {
  const layer = `source: ${server.origin}${path}, input_ip_format: cidr${keys}`;
  writeFileSync(join(folder.path, 'lookups.yaml'), `lookups: {geo: {layers: [{${layer}}]}}`);
}

async function sync(...args: string[]) {
  const { code, stdout, stderr } = await folder.run('sync', ...args);
  return { code, stdout, stderr, all: stdout + stderr };
}

const country = () =>
  openLookup(readFileSync(join(folder.lookups, 'geo.mmdb'))).find('10.0.0.1')?.['country'];

test('a source is fetched once, and again when it has changed', async () => {
  expect((await sync()).stderr).toContain(`fetched ${server.origin}/base.csv\n`);
  expect(country()).toBe('CZ');
  const again = await sync();
  expect([again.stdout, again.stderr]).toEqual(['geo  unchanged\n', '']);
  expect(server.requests.at(-1)!.headers['if-none-match']).toMatch(/^"/);
  server.answers['/base.csv'] = sendFile(ROWS.replace('CZ', 'DE'));
  expect((await sync()).stdout).toContain('geo  built');
  expect(country()).toBe('DE');
});

test('a dry run sends no requests', async () => {
  expect((await sync('--dry-run')).stdout).toBe(
    `geo  outdated: it was never built, ${server.origin}/base.csv was never fetched\n`,
  );
  await sync();
  server.requests = [];
  expect((await sync('--dry-run')).stdout).toBe('geo  unchanged\n');
  expect(server.requests).toEqual([]);
});

test('a wrong checksum leaves the former file, a right one does not', async () => {
  await sync();
  const changed = ROWS.replace('CZ', 'DE');
  server.answers['/base.csv'] = sendFile(changed);
  server.answers['/base.csv.sha256'] = sendFile(`${'0'.repeat(64)}  base.csv\n`);
  declare(', checksum: true');
  expect((await sync()).stderr).toMatch(
    /base\.csv cannot be fetched: its SHA-256 is [0-9a-f]{64}, but \S+ says 0{64}/,
  );
  expect(country()).toBe('CZ');
  server.answers['/base.csv.sha256'] = sendFile(createHash('sha256').update(changed).digest('hex'));
  expect((await sync()).code).toBe(0);
  expect(country()).toBe('DE');
  server.answers['/base.csv.sha256'] = sendFile('0'.repeat(64));
  expect((await sync()).stdout).toBe('geo  unchanged\n');
  declare();
  server.answers['/base.csv'] = sendFile(changed.replace('DE', 'FR'));
  await sync();
  declare(', checksum: true');
  expect((await sync()).stderr).toContain('says 0000');
  delete server.answers['/base.csv.sha256'];
  server.answers['/base.csv'] = sendFile(ROWS);
  expect((await sync()).stderr).toContain(
    `base.csv cannot be fetched: its checksum ${server.origin}/base.csv.sha256 cannot be fetched: the server answered 404`,
  );
  expect(country()).toBe('FR');
});

test('MaxMind’s addresses have the ending in their query, and redirect to the newest file', async () => {
  folder.writeZip('asn.zip', {
    'GeoLite2-ASN-Blocks-IPv4.csv': 'network,autonomous_system_number\n10.0.0.0/8,64500\n',
  });
  const archive = readFileSync(join(folder.path, 'in/asn.zip'));
  const release = 'GeoLite2-ASN-CSV_20260101.zip';
  const redirect: Answer = ({ url }, response) =>
    response.writeHead(302, { location: `/files/${url!.replace('/download?suffix=zip', release)}` }).end();
  server.answers = { '/download': redirect, [`/files/${release}`]: sendFile(archive) };
  const sum = `/files/${release}.sha256`;
  server.answers[sum] = sendFile(`${'0'.repeat(64)}  ${release}\n`);
  const layer = `source: "${server.origin}/download?suffix=zip", kind: maxmind, checksum: true`;
  writeFileSync(join(folder.path, 'lookups.yaml'), `lookups: {asn: {layers: [{${layer}}]}}`);
  expect((await sync()).stderr).toContain(`but ${server.origin}/download?suffix=zip.sha256 says 0000`);
  server.answers[sum] = sendFile(`${createHash('sha256').update(archive).digest('hex')}  ${release}\n`);
  expect((await sync()).stdout).toContain('asn  built');
  expect((await sync()).stdout).toBe('asn  unchanged\n');
});

test('a file name in a URL is decoded: the columns of a vendor’s file, and messages', async () => {
  server.answers['/IP2LOCATION%2DLITE-DB1.CSV'] = sendFile('"167772160","167772415","XA","Utopia"\n');
  const layer = `source: "${server.origin}/IP2LOCATION%2DLITE-DB1.CSV", kind: vendor`;
  writeFileSync(join(folder.path, 'lookups.yaml'), `lookups: {geo: {layers: [{${layer}}]}}`);
  expect((await sync()).code).toBe(0);
  server.answers['/our%20sites.csv'] = sendFile('network,site\nnowhere,Depot\n');
  declare('', '/our%20sites.csv');
  expect((await sync()).stderr).toContain('our sites.csv: row 2, column network: "nowhere" is not a network');
});

test.each<[string, Answer, string]>([
  [
    'a cut download',
    (_, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('network,country\n');
      setTimeout(() => response.destroy(), 50);
    },
    'aborted',
  ],
  ['an error', (_, response) => response.writeHead(503).end(), 'the server answered 503'],
  ['too much', (_, response) => response.end('x'.repeat(3_000)), 'it is larger than 2000 bytes'],
  [
    'an encoding',
    (_, response) => response.writeHead(200, { 'content-encoding': 'br' }).end('x'),
    'the server encodes it as br, which was not asked for',
  ],
  [
    'a redirect to another host',
    (_, response) => response.writeHead(302, { location: 'https://elsewhere.example/base.csv' }).end(),
    'the host elsewhere.example is not listed in iplookup.hosts',
  ],
  [
    'a redirect to http',
    (_, response) => response.writeHead(302, { location: 'http://localhost/base.csv' }).end(),
    'http://localhost/base.csv is not an https address',
  ],
  [
    'endless redirects',
    (_, response) => response.writeHead(302, { location: '/base.csv' }).end(),
    'there are more than 5 redirects',
  ],
])('%s leaves the former lookup', async (_case, answer, reason) => {
  configure('hosts = localhost\nprivate_networks = 127.0.0.0/8, ::1\nmax_download = 2000\n');
  await sync();
  server.answers['/base.csv'] = answer;
  const { code, stderr } = await sync();
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining(`${server.origin}/base.csv cannot be fetched: ${reason}`),
  ]);
  expect(country()).toBe('CZ');
  expect(partialDownloads()).toEqual([]);
});

test('kill -9 during a download: the former lookup remains, and the next run fetches the source', async () => {
  await sync();
  const changed = ROWS.replace('CZ', 'DE');
  server.answers['/base.csv'] = (_, response) => {
    response.writeHead(200, { 'content-length': String(changed.length) }).write(changed.slice(0, 20));
  };
  const child = startSvccmd(['iplookup', 'sync'], { cwd: folder.path });
  const ended = new Promise((resolve) => child.once('close', resolve));
  while (partialDownloads().length === 0) await sleep(20);
  child.kill('SIGKILL');
  await ended;
  expect(country()).toBe('CZ');
  server.answers['/base.csv'] = sendFile(changed);
  expect((await sync()).code).toBe(0);
  expect(country()).toBe('DE');
  expect(partialDownloads()).toEqual([]);
});

function partialDownloads(): string[] {
  const sources = join(folder.lookups, '.sync', 'sources');
  return readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.includes('partial'),
  );
}

test('only listed hosts are asked, and private addresses only if they are allowed', async () => {
  configure('hosts = other.example\n');
  expect((await sync()).stderr).toContain('the host localhost is not listed in iplookup.hosts');
  configure('hosts = localhost\n');
  expect((await sync()).stderr).toContain(
    'the host is at a loopback address, not a public one; the operator can allow it by iplookup.private_networks',
  );
  expect(server.requests).toEqual([]);
});

test('a source is fetched through a proxy, which then resolves the host; NO_PROXY exempts from it', async () => {
  const proxy = await startHttpProxy({
    target: server.origin.slice('https://'.length).replace('localhost', '127.0.0.1'),
  });
  const throughProxy = async (env: Record<string, string>) =>
    runSvccmd(['iplookup', 'sync'], { cwd: folder.path, env });
  try {
    configure('hosts = git.example.com\n');
    writeFileSync(
      join(folder.path, 'lookups.yaml'),
      'lookups: {geo: {layers: [{source: "https://git.example.com/base.csv", input_ip_format: cidr}]}}',
    );
    expect(await throughProxy({ HTTPS_PROXY: proxy.address })).toMatchObject({ code: 0 });
    expect([country(), proxy.requests]).toEqual(['CZ', ['CONNECT git.example.com:443']]);
    proxy.statuses.push(403);
    expect((await throughProxy({ HTTPS_PROXY: proxy.address })).stderr).toContain(
      'the proxy does not connect to git.example.com:443: it returned 403',
    );
    expect((await throughProxy({ HTTPS_PROXY: 'socks5://me:s3cret@proxy' })).stderr).toMatch(
      /HTTPS_PROXY: the proxy must have an http or https URL\n/,
    );
    await throughProxy({ HTTPS_PROXY: proxy.address, NO_PROXY: '.example.com' });
    expect(proxy.requests).toHaveLength(2);
  } finally {
    await proxy.stop();
  }
});

test('a file that is no longer declared is deleted after a day', async () => {
  await sync();
  const sources = join(folder.lookups, '.sync', 'sources');
  const [former = ''] = readdirSync(sources);
  server.answers['/other.csv'] = sendFile(ROWS);
  declare('', '/other.csv');
  await sync();
  expect(readdirSync(sources)).toHaveLength(2);
  utimesSync(join(sources, former), new Date(), new Date(Date.now() - 25 * 60 * 60_000));
  await sync();
  expect(readdirSync(sources)).toHaveLength(1);
  expect(readdirSync(sources)).not.toContain(former);
});

test('credentials are sent to the source’s host; neither they nor the query are shown or kept', async () => {
  writeFileSync(join(folder.path, 'password.key'), randomBytes(32).toString('hex'), { mode: 0o600 });
  const { stdout: encrypted } = await runSvccmd(['encpwd', '--yaml'], { cwd: folder.path, input: 'hunter2' });
  declare(`, user: me, password: ${encrypted.trim()}`, '/base.csv?license_key=s3cret');
  const first = await sync();
  expect(first).toMatchObject({ code: 0 });
  expect(server.requests[0]!.path).toBe('/base.csv?license_key=s3cret');
  const basic = `Basic ${Buffer.from('me:hunter2').toString('base64')}`;
  expect(server.requests[0]!.headers.authorization).toBe(basic);
  server.answers['/base.csv'] = (_, response) => response.writeHead(403).end();
  const refused = await sync();
  expect(refused.stderr).toContain('cannot be fetched: the server answered 403');
  const kept = readdirSync(folder.lookups, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));
  server.answers['/base.csv'] = (_, response) =>
    response
      .writeHead(302, { location: `${server.origin.replace('localhost', '127.0.0.1')}/moved.csv` })
      .end();
  server.answers['/moved.csv'] = sendFile(ROWS);
  configure('hosts = localhost, 127.0.0.1\nprivate_networks = 127.0.0.0/8, ::1\n');
  server.requests = [];
  expect((await sync()).code).toBe(0);
  expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([basic, undefined]);
  for (const secret of ['hunter2', 's3cret', basic]) {
    expect(first.all + refused.all).not.toContain(secret);
    expect(kept.join('')).not.toContain(secret);
  }
});

test('a URL must be safe to write down', async () => {
  const refusal = async (layer: string) => {
    writeFileSync(join(folder.path, 'lookups.yaml'), `lookups: {geo: {layers: [{${layer}}]}}`);
    return (await sync()).stderr;
  };
  const plain = 'must be an https URL without credentials; use the user and password keys';
  expect(await refusal('source: "http://localhost/x.csv"')).toContain(plain);
  const withPassword = await refusal('source: "https://me:hunter2@localhost/x.csv"');
  expect(withPassword).toContain(plain);
  expect(withPassword).not.toContain('hunter2');
  expect(await refusal('source: "https://localhost/x.csv", user: me')).toContain(
    'must have both a user and a password',
  );
  expect(await refusal('source: x.csv, checksum: true')).toContain("'checksum' requires an https source");
});
