import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request as httpRequest, type OutgoingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decryptPassword, parseKeyFile } from '@svc/password-format';
import { runInProcess } from '../shell/run-in-process.js';
import { runSvccmd } from '../shell/run-svccmd.js';
import { startServer, type RunningServer } from './running-server.js';

const keys = parseKeyFile(Buffer.from('0123456789abcdef'.repeat(4)));

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'svccmd-http-'));
  writeFileSync(join(folder, 'password.key'), '0123456789abcdef'.repeat(4), { mode: 0o600 });
  writeFileSync(join(folder, 'svccmd.conf'), '[pwdencryptor]\nkey = password.key\n');
  return folder;
}

interface Answer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly text: string;
}

/** A request whose headers are exactly these; fetch would not let Host and Origin through. */
function send(
  url: string,
  method: string,
  headers: OutgoingHttpHeaders,
  body?: string | Uint8Array,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString(),
        }),
      );
    });
    request.on('error', reject);
    request.end(body);
  });
}

describe('with a token', () => {
  let folder: string;
  let server: RunningServer;
  let token: string;

  beforeAll(async () => {
    folder = makeFolder();
    server = await startServer(folder);
    token = readFileSync(join(folder, 'svccmd.token'), 'utf8').trim();
  });

  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  const post = (body: string | Uint8Array, headers: OutgoingHttpHeaders = {}) =>
    send(`${server.url}/encpwd`, 'POST', { authorization: `Bearer ${token}`, ...headers }, body);

  test('the first start makes the token file and logs its place, not the token', () => {
    expect(statSync(join(folder, 'svccmd.token')).mode & 0o777).toBe(0o600);
    expect(server.output()).toContain(join(folder, 'svccmd.token'));
    expect(server.output()).not.toContain(token);
  });

  test.each([
    ['no type at all', {}],
    ['text/plain', { 'content-type': 'text/plain' }],
    ['a charset in capitals and quotes', { 'content-type': 'text/plain; charset="UTF-8"' }],
    ['what curl -d sends', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['bytes', { 'content-type': 'application/octet-stream' }],
    ['CSV, which other endpoints read themselves', { 'content-type': 'text/csv' }],
  ])('POST /encpwd takes the body as it is, less its last line break, with %s', async (_case, headers) => {
    const password = 'a=1&b=%20 +ž密🐎"\\\r\n';
    const { status, text, headers: answered } = await post(`${password}\n`, headers);
    expect(status).toBe(200);
    expect(answered['content-type']).toBe('text/plain; charset=utf-8');
    expect(answered['cache-control']).toBe('no-store');
    expect(await decryptPassword(text, keys)).toBe(password);
  });

  test('it responds with JSON if preferred', async () => {
    const { status, text, headers } = await post('hunter2', { accept: 'application/json' });
    expect(status).toBe(200);
    expect(headers['content-type']).toMatch(/^application\/json/);
    const answer = JSON.parse(text) as { encrypted_password: string; kid: string };
    expect(answer.kid).toBe(keys[0].kid);
    expect(await decryptPassword(answer.encrypted_password, keys)).toBe('hunter2');
  });

  test('it takes 64 KiB', async () => {
    expect((await post('x'.repeat(65_536))).status).toBe(200);
  });

  test.each<[string, string | Uint8Array, OutgoingHttpHeaders, number, RegExp]>([
    ['an empty body', '', {}, 400, /empty/],
    ['invalid UTF-8', Uint8Array.of(0x68, 0xff), {}, 400, /UTF-8/],
    ['64 KiB and a byte', 'x'.repeat(65_537), {}, 413, /65536/],
    [
      'a body without declared length over the limit',
      'x'.repeat(2_000_000),
      { 'transfer-encoding': 'chunked' },
      413,
      /65538/,
    ],
    [
      'JSON',
      '"hunter2"',
      { 'content-type': 'application/json' },
      415,
      /^This endpoint takes plain text, not JSON\.$/,
    ],
    [
      'JSON that does not parse',
      'hunter2',
      { 'content-type': 'application/json; charset=utf-8' },
      415,
      /^This endpoint takes plain text, not JSON\.$/,
    ],
    [
      'a type that is JSON by its suffix',
      '"hunter2"',
      { 'content-type': 'application/vnd.x+json' },
      415,
      /^This endpoint takes plain text, not JSON\.$/,
    ],
    ['another charset', 'hunter2', { 'content-type': 'text/plain; charset=iso-8859-1' }, 415, /UTF-8/],
    ['a compressed body', 'hunter2', { 'content-encoding': 'gzip' }, 415, /compressed/],
    [
      'a wrong token',
      'hunter2',
      { authorization: `Bearer ${randomBytes(32).toString('base64url')}` },
      401,
      /not valid/,
    ],
    ['another scheme', 'hunter2', { authorization: 'Basic aHVudGVyMjo=' }, 401, /token/],
  ])('it refuses %s', async (_case, body, headers, status, detail) => {
    const answer = await post(body, headers);
    expect(answer.status).toBe(status);
    expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
    const problem = JSON.parse(answer.text) as { status: number; detail: string };
    expect(problem.status).toBe(status);
    expect(problem.detail).toMatch(detail);
    expect(answer.text).not.toContain('hunter2');
  });

  test('without a token there is 401 with a challenge', async () => {
    const { status, headers } = await send(`${server.url}/encpwd`, 'POST', {}, 'hunter2');
    expect(status).toBe(401);
    expect(headers['www-authenticate']).toMatch(/^Bearer/);
  });

  test('health and the API document are public, metrics are not', async () => {
    const statusOf = async (path: string, headers = {}) =>
      (await send(`${server.url}${path}`, 'GET', headers)).status;
    expect(await statusOf('/health/live')).toBe(200);
    expect(await statusOf('/health/ready')).toBe(200);
    expect(await statusOf('/openapi.json')).toBe(200);
    expect(await statusOf('/metrics')).toBe(401);
    expect(await statusOf('/metrics', { authorization: `Bearer ${token}` })).toBe(200);
  });

  test('every route is public or declares a scope that the token carries', async () => {
    const document = JSON.parse((await send(`${server.url}/openapi.json`, 'GET', {})).text) as {
      paths: Record<string, Record<string, { 'x-required-scope'?: string }>>;
    };
    const open = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.values(methods).some((operation) => operation['x-required-scope'] === undefined) ? [path] : [],
    );
    const hooks = ['/library/webhook', '/libraries/{library}/webhook'];
    expect(open.filter((path) => !path.startsWith('/health/') && !hooks.includes(path))).toEqual([]);
  });

  test('no password and no token is in the log', async () => {
    const marker = 'a-password-like-no-other';
    await post(marker);
    await post(marker, { 'content-type': 'application/json' });
    await post(marker, { authorization: `Bearer ${marker}` });
    await send(`${server.url}/health/live`, 'GET', {});
    expect(server.output()).toContain('/encpwd');
    expect(server.output()).not.toContain(marker);
    expect(server.output()).not.toContain(token);
  });
});

describe('with http.auth = none', () => {
  let folder: string;
  let server: RunningServer;
  let port: string;

  beforeAll(async () => {
    folder = makeFolder();
    server = await startServer(folder, {
      SVCCMD_HTTP_AUTH: 'none',
      SVCCMD_HTTP_ALLOWED_HOSTS: 'svc-commander',
    });
    port = new URL(server.url).port;
  });

  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  test.each<[string, OutgoingHttpHeaders]>([
    ['its address', {}],
    ['localhost', { host: 'localhost:8080' }],
    ['an IPv6 address', { host: '[::1]:8080' }],
    ['an allowed name, in capitals', { host: 'SVC-Commander' }],
    ['a user who typed the address', { 'sec-fetch-site': 'none' }],
    ['its own page', { 'sec-fetch-site': 'same-origin' }],
  ])('a request for %s needs no token', async (_case, headers) => {
    const host = { host: `127.0.0.1:${port}` };
    const { status, text } = await send(`${server.url}/encpwd`, 'POST', { ...host, ...headers }, 'hunter2');
    expect(status).toBe(200);
    expect(await decryptPassword(text, keys)).toBe('hunter2');
  });

  const [ORIGIN, SITE, HOST] = [
    'The request was sent by a web page (Origin).',
    "The request was sent by another site's page (Sec-Fetch-Site).",
    'The Host is not listed in http.allowed_hosts.',
  ];

  test.each<[string, OutgoingHttpHeaders, string]>([
    ['an Origin', { origin: 'https://evil.example' }, ORIGIN],
    ['its own Origin', { origin: 'http://127.0.0.1:8080' }, ORIGIN],
    ['Origin null', { origin: 'null' }, ORIGIN],
    ['Sec-Fetch-Site cross-site', { 'sec-fetch-site': 'cross-site' }, SITE],
    ['Sec-Fetch-Site same-site', { 'sec-fetch-site': 'same-site' }, SITE],
    ['a foreign Host', { host: 'evil.example:8080' }, HOST],
    ['a Host that begins like ours', { host: 'localhost.evil.example' }, HOST],
    ['an address within a name', { host: '127.0.0.1.evil.example' }, HOST],
  ])('a request with %s is refused', async (_case, headers, reason) => {
    for (const path of ['/encpwd', '/health/live', '/nothing']) {
      const { status, text } = await send(
        `${server.url}${path}`,
        path === '/encpwd' ? 'POST' : 'GET',
        headers,
      );
      expect(status).toBe(403);
      const detail = `${reason} Such requests require a token.`;
      expect(JSON.parse(text)).toMatchObject({ status: 403, detail });
    }
  });

  test('a start without tokens is logged as a warning', () => {
    expect(server.output()).toMatch(/"level":"warn".*http\.auth is none/);
  });
});

test('http.auth = none on a reachable address needs a second confirmation; SIGTERM ends it with 0', async () => {
  const folder = makeFolder();
  const env = { SVCCMD_HTTP_AUTH: 'none', SVCCMD_HTTP_ADDRESS: '0.0.0.0' };
  expect(await runInProcess(['serve'], { cwd: folder, env: { ...env, SVCCMD_HTTP_PORT: '0' } })).toEqual({
    code: 3,
    stdout: '',
    stderr:
      'svccmd: http.auth is none and http.address 0.0.0.0 is not loopback: anyone who can reach it would have full access; ' +
      'set http.auth to token, http.address to 127.0.0.1, or http.allow_open to yes\n',
  });
  const server = await startServer(folder, { ...env, SVCCMD_HTTP_ALLOW_OPEN: 'yes' });
  expect(await server.stop('SIGTERM')).toBe(0);
  rmSync(folder, { recursive: true });
});

describe('the process', () => {
  let folder: string;
  beforeEach(() => (folder = makeFolder()));
  afterEach(() => rmSync(folder, { recursive: true }));

  test('a port in use is reported in one line with the setting; SIGINT ends the program there with 0', async () => {
    const server = await startServer(folder);
    const { port } = new URL(server.url);
    const second = await runSvccmd(['serve'], { cwd: folder, env: { SVCCMD_HTTP_PORT: port } });
    expect(await server.stop('SIGINT')).toBe(0);
    expect(second.code).toBe(3);
    expect(second.stderr).toBe(
      `svccmd: http.port: another program is already listening on 127.0.0.1 port ${port} (EADDRINUSE); stop it, or set another port\n`,
    );
  });

  test('a short secret for push hooks is an error of the configuration, with its remedy', async () => {
    const env = { SVCCMD_SOURCE_WEBHOOK_SECRET: 'x'.repeat(31) };
    const { code, stderr } = await runInProcess(['serve'], { cwd: folder, env });
    expect(code).toBe(3);
    expect(stderr).toBe(
      'svccmd: source.webhook_secret has fewer than 32 characters; create one with openssl rand -hex 32, and set it here and in the hook of the git server\n',
    );
  });

  test('a malformed token is a configuration error', async () => {
    const { code, stderr } = await runInProcess(['serve'], {
      cwd: folder,
      env: { SVCCMD_HTTP_TOKEN: 'short' },
    });
    expect(code).toBe(3);
    expect(stderr).toMatch(/^svccmd: http\.token: a token needs at least 32 characters/);
  });
});
