import { createHmac } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, startZookeeper, type ZookeeperServer } from '@svc/test-servers';
import { readNodes } from './support/kazoo.js';
import { LIBRARY, makeFolder, writeFiles } from './support/library-folder.js';
import { startServer, type Server } from './support/server.js';
import { svccmd } from './support/svccmd.js';

let zookeeper: ZookeeperServer;
let folder: string;
let server: Server;
let state: string;

const SECRET = 'hook-secret-of-this-test-0123456789';

beforeAll(async () => {
  zookeeper = await startZookeeper();
  folder = await makeFolder(LIBRARY);
  state = await makeFolder();
  server = await startServer({
    SVCCMD_SOURCE_PATH: folder,
    SVCCMD_DESTINATION_URLS: zookeeper.address,
    // Enough for a busy machine, and not too long to wait for a frozen cluster.
    SVCCMD_DESTINATION_TIMEOUT: '5s',
    SVCCMD_SOURCE_WEBHOOK_SECRET: SECRET,
    SVCCMD_SOURCE_STATE_PATH: state,
  });
});

afterAll(async () => {
  await server.stop();
  await zookeeper.stop();
  await rm(folder, { recursive: true });
  await rm(state, { recursive: true });
});

const loadsOf = async ({ fetch: ask }: Server): Promise<Record<string, string>> => {
  const figures = await (await ask('/metrics')).text();
  const lines = figures.matchAll(/^library_loads_total\{[^}]*result="(\w+)"[^}]*\} (\d+)$/gm);
  return Object.fromEntries([...lines].map(([, result, count]) => [result, count]));
};

const put = async (query = '', headers: Record<string, string> = {}) =>
  server.fetch(`/library/load${query}`, { method: 'PUT', headers });

test('PUT /library/load without a body loads and answers 200 with the report', async () => {
  const dry = await put('?dry_run');
  expect(await dry.json()).toMatchObject({ dry_run: true, created: 10 });
  const response = await put();
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ created: 10, changed: true, version: '2', load: 1 });
  // The dry run was none.
  expect(await loadsOf(server)).toEqual({ loaded: '1', unchanged: '0', failed: '0' });
  const figures = await (await server.fetch('/metrics')).text();
  expect(figures).toMatch(/^library_nodes_written_total\{operation="created",[^}]*\} 10$/m);
  expect(figures).toMatch(/^library_load_duration_seconds_count\{[^}]*\} 1$/m);
  const [, seconds] = /^library_last_success_timestamp_seconds\{[^}]*\} (\S+)$/m.exec(figures) ?? [];
  expect(Math.abs(Number(seconds) - Date.now() / 1000)).toBeLessThan(60);
  expect((await readNodes(zookeeper.address, '/library')).has('/library/Parsers/Linux/10_ssh.yaml')).toBe(
    true,
  );
});

test('unknown parameters are rejected, and nothing is done', async () => {
  const before = await get('status');
  const problemOf = async (method: string, path: string, options: RequestInit = {}) => {
    const response = await server.fetch(`/library/${path}`, { method, ...options });
    const { detail } = (await response.json()) as { detail: string };
    return [response.status, detail];
  };
  const json = { body: '{"dry_run":true}', headers: { 'content-type': 'application/json' } };
  const noBody = [400, 'This request takes no body; pass options in the query.'];
  expect(await problemOf('PUT', 'load', json)).toEqual(noBody);
  expect(await problemOf('PUT', 'load', { body: 'dry_run=yes' })).toEqual(noBody);
  expect(await problemOf('POST', 'rollback', json)).toEqual(noBody);
  expect(await problemOf('POST', 'rollback?steps=3&to=1')).toEqual([
    400,
    'Pass either "steps" or "to", not both.',
  ]);
  for (const path of ['diff?prune=all', 'diff?ref=main', 'history?limit=1', 'status?prune=all']) {
    expect((await server.fetch(`/library/${path}`)).status).toBe(400);
  }
  expect(await get('status')).toEqual(before);
});

test('one diff or dry run at a time; a load may run in parallel', async () => {
  const refusals: Response[] = [];
  // Until it thaws, the first one does not end.
  zookeeper.freeze();
  const asked = [server.fetch('/library/diff'), server.fetch('/library/diff'), put('?dry_run')];
  for (const one of asked) void one.then((answer) => answer.status === 409 && refusals.push(answer));
  await eventually(async () => expect(refusals).toHaveLength(2)).finally(() => zookeeper.thaw());
  expect((await Promise.all(asked)).map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  const refused = refusals[0]!;
  expect(refused.headers.get('retry-after')).toBe('5');
  expect(await refused.json()).toMatchObject({ detail: 'Another diff or dry run is in progress.' });
  const beside = await Promise.all([get('diff'), put('?wait=10')]);
  expect(beside[1].status).toBe(200);
});

test('it needs the token', async () => {
  expect((await fetch(`${server.url}/library/load`, { method: 'PUT' })).status).toBe(401);
});

test('with Accept: application/x-ndjson progress streams, and the last line is the report', async () => {
  const response = await put('', { accept: 'application/x-ndjson' });
  expect(response.headers.get('content-type')).toContain('application/x-ndjson');
  const lines = (await response.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
  expect(lines[0]).toEqual({ progress: { phase: 'waiting' } });
  expect(lines.at(-1)).toMatchObject({ report: { changed: false, unchanged: 10 } });
});

test('a library with errors is 400, each error with its place', async () => {
  await writeFiles(folder, { 'Parsers/bad.yaml': 'a: 1\na: 2\n' });
  const response = await put();
  await writeFiles(folder, { 'Parsers/bad.yaml': null });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    errors: [{ field: 'Parsers/bad.yaml:2:1', code: 'yaml-duplicate-key' }],
  });
  expect(await loadsOf(server)).toMatchObject({ unchanged: expect.any(String) as string, failed: '1' });
});

test('of hundreds of errors, the first hundred are listed and all are counted', async () => {
  const names = Array.from({ length: 120 }, (_, index) => `Bad/${index}.yaml`);
  await writeFiles(folder, Object.fromEntries(names.map((name) => [name, 'a: [\n'])));
  const response = await put();
  await writeFiles(folder, { Bad: null });
  expect(response.status).toBe(400);
  const { detail, errors } = (await response.json()) as { detail: string; errors: unknown[] };
  expect([detail, errors.length]).toEqual(['the library has 120 errors; nothing was written.', 100]);
});

test('an unknown option or value is 400', async () => {
  expect((await put('?prune=everything')).status).toBe(400);
  expect((await put('?prunes=all')).status).toBe(400);
});

test('a frozen cluster is 503 with Retry-After, and works again when it thaws', async () => {
  zookeeper.freeze();
  const [response, streamed] = await Promise.all([put(), put('', { accept: 'application/x-ndjson' })]);
  zookeeper.thaw();
  // What keeps a load from beginning has its own status, streamed or not.
  expect([streamed.status, streamed.headers.get('content-type')]).toEqual([
    503,
    expect.stringContaining('application/problem+json'),
  ]);
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe('10');
  expect(await response.json()).toMatchObject({ detail: expect.stringContaining(zookeeper.address) });
  expect((await put()).status).toBe(200);
});

const get = async (path: string) =>
  (await server.fetch(`/library/${path}`)).json() as Promise<Record<string, unknown>>;

test('status, diff, history and rollback match the commands', async () => {
  await put();
  await writeFiles(folder, { 'Lookups/ports.csv': 'changed' });
  expect(await get('diff')).toMatchObject({ changes: [{ action: 'update', path: 'Lookups/ports.csv' }] });
  const { load } = (await (await put()).json()) as { load: number };
  expect(await get('status?drift')).toMatchObject({ load, drift: [], last: { updated: 1 } });
  expect(await get('history')).toMatchObject({ loads: [{ load }, { load: load - 1 }] });
  const rolled = await server.fetch('/library/rollback', { method: 'POST' });
  expect(await rolled.json()).toMatchObject({ load: load + 1, updated: 1 });
  expect((await server.fetch('/library/rollback?to=77', { method: 'POST' })).status).toBe(404);
  await writeFiles(folder, { 'Lookups/ports.csv': LIBRARY['Lookups/ports.csv']! });
});

const hook = async (headers: Record<string, string>, body = '{"ref":"refs/heads/main"}') =>
  fetch(`${server.url}/library/webhook`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  });
const signature = (body: string, secret = SECRET) =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

test('a genuine push hook loads in the background', async () => {
  const before = await get('status');
  await writeFiles(folder, { 'Lookups/hooked.csv': 'x' });
  const body = '{"ref": "refs/heads/main",  "spaces": "count"}';
  const response = await hook({ 'x-github-event': 'push', 'x-hub-signature-256': signature(body) }, body);
  expect([response.status, await response.json()]).toEqual([202, { loading: true }]);
  while ((await get('status'))['load'] === before['load']) await sleep(50);
  const gitlab = await hook({ 'x-gitlab-event': 'Push Hook', 'x-gitlab-token': SECRET });
  expect(gitlab.status).toBe(202);
});

test('a push during an outage of the source is loaded when it is back', async () => {
  const before = await get('status');
  await writeFiles(folder, { 'Lookups/hooked.csv': 'kept' });
  await rename(folder, `${folder}-away`);
  const response = await hook({ 'x-gitlab-event': 'Push Hook', 'x-gitlab-token': SECRET });
  expect([response.status, await response.json()]).toEqual([202, { loading: true }]);
  while (!server.log().includes('retrying the load of a push')) await sleep(50);
  await rename(`${folder}-away`, folder);
  while ((await get('status'))['load'] === before['load']) await sleep(100);
  expect(await get('status?drift')).toMatchObject({ drift: [], last: { updated: 1 } });
});

test('a hook of 20 MiB is accepted, one of more than 25 MiB is 413', async () => {
  const body = `{"commits":"${'x'.repeat(20 << 20)}"}`;
  const taken = await hook(
    { 'x-event-key': 'repo:push', 'x-hub-signature': signature(body).toUpperCase() },
    body,
  );
  expect([taken.status, await taken.json()]).toEqual([202, { loading: true }]);
  const larger = body + ' '.repeat(5 << 20);
  expect(
    (await hook({ 'x-event-key': 'repo:push', 'x-hub-signature': signature(larger) }, larger)).status,
  ).toBe(413);
});

test('basic authentication is accepted from loopback, and wrong secrets count as wrong tokens', async () => {
  const basic = (secret: string) => ({
    authorization: `Basic ${Buffer.from(`svc:${secret}`).toString('base64')}`,
  });
  const body = '{"eventType":"git.push"}';
  expect((await hook(basic(SECRET), body)).status).toBe(202);
  const wrong = async () => {
    const text = await (await server.fetch('/metrics')).text();
    return Number(/^http_wrong_tokens_total\{.*\} (\d+)$/m.exec(text)?.[1]);
  };
  const before = await wrong();
  expect((await hook(basic(`${SECRET}x`), body)).status).toBe(403);
  expect((await hook({ 'x-hub-signature-256': 'sha256=00' }, body)).status).toBe(403);
  expect((await wrong()) - before).toBe(2);
  const started = performance.now();
  for (let n = 0; n < 12; n += 1) expect((await hook(basic(`${SECRET}x`), body)).status).toBe(403);
  expect(performance.now() - started).toBeGreaterThan(500);
});

test('behind a proxy, basic authentication is taken if it came by https, and 403 if by http', async () => {
  const proxied = await startServer({
    SVCCMD_SOURCE_PATH: folder,
    SVCCMD_SOURCE_WEBHOOK_SECRET: SECRET,
    SVCCMD_DESTINATION_URLS: zookeeper.address,
    SVCCMD_DESTINATION_PATH: '/proxied',
    SVCCMD_HTTP_TRUSTED_PROXIES: '127.0.0.1',
  });
  const statusBy = async (protocol: string) => {
    const response = await fetch(`${proxied.url}/library/webhook`, {
      method: 'POST',
      body: '{"eventType":"git.push"}',
      headers: {
        authorization: `Basic ${Buffer.from(`svc:${SECRET}`).toString('base64')}`,
        'x-forwarded-for': '203.0.113.9',
        'x-forwarded-proto': protocol,
      },
    });
    return response.status;
  };
  expect([await statusBy('http'), await statusBy('https')]).toEqual([403, 202]);
  await proxied.stop();
});

test.each([
  ['no proof', {}],
  [
    'a signature with another secret',
    { 'x-hub-signature-256': signature('{"ref":"refs/heads/main"}', 'other') },
  ],
  ['a signature of another body', { 'x-hub-signature-256': signature('{}') }],
  ['a wrong token', { 'x-gitlab-token': SECRET.replace('hook', 'hooK') }],
])('a hook with %s is 403', async (_case, headers) => {
  const before = await get('status');
  const response = await hook({ 'x-github-event': 'push', ...headers });
  expect([response.status, await response.json()]).toEqual([
    403,
    expect.objectContaining({
      detail: 'The hook has an invalid signature or token, or the library has no secret.',
    }),
  ]);
  expect(await get('status')).toEqual(before);
});

test('a ping is accepted and loads nothing', async () => {
  const body = '{"zen":"x"}';
  const response = await hook({ 'x-github-event': 'ping', 'x-hub-signature-256': signature(body) }, body);
  expect([response.status, await response.json()]).toEqual([202, { loading: false }]);
});

test('without a configured secret there is no hook; with source.interval the server loads by itself', async () => {
  const other = await startServer({
    SVCCMD_SOURCE_PATH: folder,
    SVCCMD_SOURCE_INTERVAL: '200ms',
    SVCCMD_DESTINATION_URLS: zookeeper.address,
    SVCCMD_DESTINATION_PATH: '/by-itself',
  });
  const response = await fetch(`${other.url}/library/webhook`, { method: 'POST', body: '{}' });
  expect([response.status, await response.json()]).toEqual([
    404,
    expect.objectContaining({ detail: 'There is no such endpoint.' }),
  ]);
  while (!(await readNodes(zookeeper.address, '/by-itself')).has('/by-itself/.version.yaml'))
    await sleep(100);
  while ((await loadsOf(other))['loaded'] !== '1') await sleep(100);
  await other.stop();
});

test('a destination taken over by another source is 409, and can be taken back on request', async () => {
  await put();
  const other = await makeFolder({ 'other.yaml': 'x: 1' });
  const words = ['library', 'load', '--source', other, '--take-over'];
  expect(await svccmd(words, { SVCCMD_DESTINATION_URLS: zookeeper.address })).toMatchObject({ code: 0 });
  const refused = await put();
  expect([refused.status, ((await refused.json()) as { detail: string }).detail]).toEqual([
    409,
    expect.stringContaining(`was loaded from ${other}, and loading ${folder} would remove`),
  ]);
  expect(await (await put('?take_over=true')).json()).toMatchObject({
    changed: true,
    deleted: 1,
    problems: expect.arrayContaining([expect.objectContaining({ code: 'take-over' })]),
  });
  await rm(other, { recursive: true });
});

test('a load whose copy is gone cannot be restored: 404, with the reason', async () => {
  await rm(join(state, 'loads'), { recursive: true });
  const response = await server.fetch('/library/rollback?to=1', { method: 'POST' });
  expect([response.status, await response.json()]).toEqual([
    404,
    expect.objectContaining({ detail: `no copy of load 1 is kept in ${state} (ENOENT)` }),
  ]);
});
