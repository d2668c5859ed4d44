import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  GitRepository,
  type GitServer,
  type HttpProxyServer,
  makeCertificates,
  startGitServer,
  startHttpProxy,
} from '@svc/test-servers';
import { GitSource, type GitSourceOptions } from '../src/index.js';

const USER = 'proxy-user';
const PASSWORD = 'pr0xy-s3cret/@:%';
const VARIABLES = ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY', 'https_proxy', 'http_proxy', 'no_proxy'];

let repository: GitRepository;
let folder: string;
let ca: string;
let head: string;
let keys: { readonly key: string; readonly cert: string };
let servers: { readonly https: GitServer; readonly http: GitServer };
let proxies: { readonly https: HttpProxyServer; readonly http: HttpProxyServer };
const environment = { ...process.env };

beforeAll(async () => {
  repository = await GitRepository.create();
  head = await repository.commit({ 'a.yaml': 'a: 1\n' });
  folder = await mkdtemp(join(tmpdir(), 'svc-git-proxy-'));
  const certificates = await makeCertificates(folder);
  ({ ca } = certificates);
  const tls = { key: certificates.serverKey, cert: certificates.serverCert };
  keys = tls;
  const { root } = repository;
  servers = {
    https: await startGitServer({ root, tls, user: 'deploy', token: 't0ken' }),
    http: await startGitServer({ root }),
  };
  const credentials = { user: USER, password: PASSWORD };
  proxies = {
    https: await startHttpProxy({ target: servers.https.address, ...credentials }),
    http: await startHttpProxy({ target: servers.http.address, ...credentials }),
  };
});

afterAll(async () => {
  for (const one of [...Object.values(proxies), ...Object.values(servers)]) await one.stop();
  await repository.remove();
  await rm(folder, { recursive: true });
});

beforeEach(() => {
  for (const name of VARIABLES) delete process.env[name];
});

afterAll(() => {
  for (const name of VARIABLES) {
    if (environment[name] === undefined) delete process.env[name];
    else process.env[name] = environment[name];
  }
});

const HTTPS = 'git+https://deploy:t0ken@git.example.com/library.git';
const HTTP = 'git+http://git.example.com:8080/library.git';
const addressOf = (proxy: HttpProxyServer, password = PASSWORD) =>
  `http://${USER}:${encodeURIComponent(password)}@${proxy.address}`;
const read = async (options: Omit<Partial<GitSourceOptions>, 'address'> & { address: string }) =>
  new GitSource({ caFile: ca, ...options }).read(() => () => true);

test('an https repository is read through a proxy by CONNECT, with the credentials of each', async () => {
  const before = proxies.https.requests.length;
  expect((await read({ address: HTTPS, proxy: addressOf(proxies.https) })).revision).toBe(head);
  expect([...new Set(proxies.https.requests.slice(before))]).toEqual(['CONNECT git.example.com:443']);
  expect(servers.https.requests.every(({ authorized }) => authorized)).toBe(true);
});

test('the connection to an https proxy is encrypted and verified', async () => {
  const tls = { key: await readFile(keys.key, 'utf8'), cert: await readFile(keys.cert, 'utf8') };
  const proxy = await startHttpProxy({ target: servers.https.address, user: USER, password: PASSWORD, tls });
  try {
    const address = addressOf(proxy).replace('http:', 'https:');
    expect((await read({ address: HTTPS, proxy: address })).revision).toBe(head);
    expect(proxy.requests).toContain('CONNECT git.example.com:443');
    await expect(read({ address: HTTPS, proxy: address, caFile: undefined })).rejects.toThrow(
      /cannot connect to the proxy .*certificate/i,
    );
    await expect(read({ address: HTTPS, proxy: addressOf(proxy) })).rejects.toThrow(
      'cannot connect to the proxy',
    );
  } finally {
    await proxy.stop();
  }
});

test('a proxy may answer CONNECT with any success status; one that does not answer times out', async () => {
  const proxy = addressOf(proxies.https);
  proxies.https.statuses.push(202);
  expect((await read({ address: HTTPS, proxy })).revision).toBe(head);
  proxies.https.statuses.push(0);
  await expect(read({ address: HTTPS, proxy, deadlineMs: 500 })).rejects.toThrow('took longer than 0.5 s');
});

test('the server behind the proxy is verified', async () => {
  const proxy = addressOf(proxies.https);
  await expect(read({ address: HTTPS, proxy, caFile: undefined })).rejects.toThrow(
    /cannot read .*certificate/i,
  );
  const other = 'git+https://other.example.com/library.git';
  await expect(read({ address: other, proxy })).rejects.toThrow(/ERR_TLS_CERT_ALTNAME_INVALID/);
});

test('an http repository is read through a proxy by its whole address', async () => {
  const before = proxies.http.requests.length;
  expect((await read({ address: HTTP, proxy: addressOf(proxies.http) })).revision).toBe(head);
  expect(proxies.http.requests[before]).toBe(
    'GET http://git.example.com:8080/library.git/info/refs?service=git-upload-pack',
  );
});

test('HTTPS_PROXY and HTTP_PROXY are used, and NO_PROXY exempts from them', async () => {
  process.env['HTTPS_PROXY'] = addressOf(proxies.https);
  process.env['HTTP_PROXY'] = addressOf(proxies.http);
  expect((await read({ address: HTTPS })).revision).toBe(head);
  expect((await read({ address: HTTP })).revision).toBe(head);
  const before = [proxies.https.requests.length, proxies.http.requests.length];
  const direct = `git://deploy:t0ken@${servers.http.address}/library.git`;
  process.env['NO_PROXY'] = '127.0.0.0/8';
  expect((await read({ address: direct, proxy: addressOf(proxies.http) })).revision).toBe(head);
  delete process.env['NO_PROXY'];
  expect((await read({ address: direct, proxy: 'none' })).revision).toBe(head);
  expect((await read({ address: direct })).revision).toBe(head);
  expect([proxies.https.requests.length, proxies.http.requests.length]).toEqual(before);
});

test.each([
  ['CONNECT', HTTPS, () => proxies.https],
  ['http', HTTP, () => proxies.http],
])("the proxy's refusal is reported, its password never (%s)", async (_case, address, proxyOf) => {
  const wrong = 'wr0ng-s3cret';
  const error: Error = await read({ address, proxy: addressOf(proxyOf(), wrong) }).then(
    () => {
      throw new Error('it was read');
    },
    (found: Error) => found,
  );
  expect(error.message).toMatch(/: the proxy does not accept the user and password \(407\)/);
  expect(error.message).not.toContain('not accept the user and token');
  const all = [
    error.message,
    error.stack,
    (error.cause as Error).message,
    (error.cause as Error).stack,
  ].join();
  for (const secret of [wrong, Buffer.from(`${USER}:${wrong}`).toString('base64')]) {
    expect(all).not.toContain(secret);
  }
});

test.each([
  ['CONNECT', HTTPS, () => proxies.https],
  ['http', HTTP, () => proxies.http],
])('a proxy that wants a user and password says so (%s)', async (_case, address, proxyOf) => {
  const proxy = addressOf(proxyOf()).replace(/\/\/.*@/, '//');
  await expect(read({ address, proxy })).rejects.toThrow('the proxy asks for a user and password (407)');
});

test('a proxy that is busy is tried again; one that denies the host, or is away, is reported', async () => {
  const proxy = addressOf(proxies.https);
  proxies.https.statuses.push(503);
  expect((await read({ address: HTTPS, proxy })).revision).toBe(head);
  proxies.https.statuses.push(403);
  await expect(read({ address: HTTPS, proxy })).rejects.toThrow(
    'cannot read https://git.example.com/library.git: the proxy does not connect to git.example.com:443: it returned 403',
  );
  await expect(read({ address: HTTPS, proxy: 'http://127.0.0.1:1' })).rejects.toThrow(
    'cannot read https://git.example.com/library.git: cannot connect to the proxy 127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1 (ECONNREFUSED)',
  );
});
