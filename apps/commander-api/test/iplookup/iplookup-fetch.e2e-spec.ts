import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLookup } from '@svc/iplookup-core';
import { type Certificates, makeCertificates, startHttpProxy } from '@svc/test-servers';
import { runSvccmd } from '../shell/run-svccmd.js';
import { type LookupFolder, makeLookupFolder } from './lookup-folder.js';

const ROWS = 'network,country\n10.0.0.0/8,CZ\n';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const certificatesFolder = mkdtempSync(join(tmpdir(), 'svccmd-fetch-'));
let certificates: Certificates;
let server: Server;
let folder: LookupFolder;
let origin: string;
/** What the server answers, by path. */
let answers: Record<string, Answer>;
let requests: { readonly path: string; readonly headers: IncomingMessage['headers'] }[];

beforeAll(async () => {
  certificates = await makeCertificates(certificatesFolder);
  const key = readFileSync(certificates.serverKey);
  const cert = readFileSync(certificates.serverCert);
  server = createServer({ key, cert }, (request, response) => {
    requests.push({ path: request.url!, headers: request.headers });
    const answer = answers[request.url!.replace(/\?.*/, '')];
    if (answer) answer(request, response);
    else response.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `https://localhost:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
  rmSync(certificatesFolder, { recursive: true });
});

beforeEach(() => {
  folder = makeLookupFolder();
  mkdirSync(folder.lookups);
  requests = [];
  answers = { '/base.csv': sendFile(ROWS) };
  configure();
  declare();
});

/** Answers with an ETag, and 304 to a client that has the content. */
function sendFile(content: string): Answer {
  const etag = `"${createHash('sha256').update(content).digest('hex').slice(0, 8)}"`;
  return (request, response) => {
    if (request.headers['if-none-match'] === etag) response.writeHead(304).end();
    else response.writeHead(200, { etag, 'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT' }).end(content);
  };
}

function configure(settings = 'hosts = localhost\nprivate_networks = 127.0.0.0/8, ::1\n'): void {
  writeFileSync(
    join(folder.path, 'svccmd.conf'),
    `[pwdencryptor]\nkey = password.key\n[iplookup]\nsource_path = in\ndestination_path = out\ndeclarations = lookups.yaml\nca = ${certificates.ca}\n${settings}`,
  );
}

function declare(keys = '', path = '/base.csv'): void {
  const layer = `source: ${origin}${path}, input_ip_format: cidr${keys}`;
  writeFileSync(join(folder.path, 'lookups.yaml'), `lookups: {geo: {layers: [{${layer}}]}}`);
}

async function sync(...args: string[]) {
  const { code, stdout, stderr } = await folder.run('sync', ...args);
  return { code, stdout, stderr, all: stdout + stderr };
}

const country = () =>
  openLookup(readFileSync(join(folder.lookups, 'geo.mmdb'))).find('10.0.0.1')?.['country'];

test('a source is fetched once, and again when it has changed', async () => {
  expect((await sync()).stderr).toContain(`fetched ${origin}/base.csv\n`);
  expect(country()).toBe('CZ');
  const again = await sync();
  expect([again.stdout, again.stderr]).toEqual(['geo  unchanged\n', '']);
  expect(requests.at(-1)!.headers['if-none-match']).toMatch(/^"/);
  answers['/base.csv'] = sendFile(ROWS.replace('CZ', 'DE'));
  expect((await sync()).stdout).toContain('geo  built');
  expect(country()).toBe('DE');
});

test('a dry run sends no requests', async () => {
  expect((await sync('--dry-run')).stdout).toBe(
    `geo  outdated: it was never built, ${origin}/base.csv was never fetched\n`,
  );
  await sync();
  requests = [];
  expect((await sync('--dry-run')).stdout).toBe('geo  unchanged\n');
  expect(requests).toEqual([]);
});

test('a wrong checksum leaves the former file, a right one does not', async () => {
  await sync();
  const changed = ROWS.replace('CZ', 'DE');
  answers['/base.csv'] = sendFile(changed);
  answers['/base.csv.sha256'] = sendFile(`${'0'.repeat(64)}  base.csv\n`);
  declare(', checksum: true');
  expect((await sync()).stderr).toMatch(
    /base\.csv cannot be fetched: its SHA-256 is [0-9a-f]{64}, but \S+ says 0{64}/,
  );
  expect(country()).toBe('CZ');
  answers['/base.csv.sha256'] = sendFile(createHash('sha256').update(changed).digest('hex'));
  expect((await sync()).code).toBe(0);
  expect(country()).toBe('DE');
  answers['/base.csv.sha256'] = sendFile('0'.repeat(64));
  expect((await sync()).stdout).toBe('geo  unchanged\n');
  declare();
  answers['/base.csv'] = sendFile(changed.replace('DE', 'FR'));
  await sync();
  declare(', checksum: true');
  expect((await sync()).stderr).toContain('says 0000');
  delete answers['/base.csv.sha256'];
  answers['/base.csv'] = sendFile(ROWS);
  expect((await sync()).stderr).toContain('cannot be fetched: the server answered 404');
  expect(country()).toBe('FR');
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
  answers['/base.csv'] = answer;
  const { code, stderr } = await sync();
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining(`${origin}/base.csv cannot be fetched: ${reason}`),
  ]);
  expect(country()).toBe('CZ');
  const sources = join(folder.lookups, '.sync', 'sources');
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.includes('partial'),
  );
  expect(files).toEqual([]);
});

test('only listed hosts are asked, and private addresses only if they are allowed', async () => {
  configure('hosts = other.example\n');
  expect((await sync()).stderr).toContain('the host localhost is not listed in iplookup.hosts');
  configure('hosts = localhost\n');
  expect((await sync()).stderr).toContain(
    'the host is at a loopback address, not a public one; the operator can allow it by iplookup.private_networks',
  );
  expect(requests).toEqual([]);
});

test('a source is fetched through a proxy, which then resolves the host; NO_PROXY exempts from it', async () => {
  const proxy = await startHttpProxy({
    target: origin.slice('https://'.length).replace('localhost', '127.0.0.1'),
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
  answers['/other.csv'] = sendFile(ROWS);
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
  expect(requests[0]!.path).toBe('/base.csv?license_key=s3cret');
  const basic = `Basic ${Buffer.from('me:hunter2').toString('base64')}`;
  expect(requests[0]!.headers.authorization).toBe(basic);
  answers['/base.csv'] = (_, response) => response.writeHead(403).end();
  const refused = await sync();
  expect(refused.stderr).toContain('cannot be fetched: the server answered 403');
  const kept = readdirSync(folder.lookups, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));
  answers['/base.csv'] = (_, response) =>
    response.writeHead(302, { location: `${origin.replace('localhost', '127.0.0.1')}/moved.csv` }).end();
  answers['/moved.csv'] = sendFile(ROWS);
  configure('hosts = localhost, 127.0.0.1\nprivate_networks = 127.0.0.0/8, ::1\n');
  requests = [];
  expect((await sync()).code).toBe(0);
  expect(requests.map(({ headers }) => headers.authorization)).toEqual([basic, undefined]);
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
