import { rm } from 'node:fs/promises';
import { startZookeeper, type ZookeeperServer } from '@svc/test-servers';
import { readNodes } from './support/kazoo.js';
import { LIBRARY, makeFolder, writeFiles } from './support/library-folder.js';
import { startServer, type Server } from './support/server.js';

let zookeeper: ZookeeperServer;
let folder: string;
let server: Server;

beforeAll(async () => {
  zookeeper = await startZookeeper();
  folder = await makeFolder(LIBRARY);
  server = await startServer({
    SVCCMD_SOURCE_PATH: folder,
    SVCCMD_DESTINATION_URLS: zookeeper.address,
    SVCCMD_DESTINATION_TIMEOUT: '2s',
  });
}, 60_000);

afterAll(async () => {
  await server.stop();
  await zookeeper.stop();
  await rm(folder, { recursive: true });
});

const put = async (query = '', headers: Record<string, string> = {}) =>
  server.fetch(`/library/load${query}`, { method: 'PUT', headers });

test('PUT /library/load without a body loads and answers 200 with the report', async () => {
  const dry = await put('?dry_run');
  expect(await dry.json()).toMatchObject({ dry_run: true, created: 10 });
  const response = await put();
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ created: 10, changed: true, version: '2', load: 1 });
  expect((await readNodes(zookeeper.address, '/library')).has('/library/Parsers/Linux/10_ssh.yaml')).toBe(
    true,
  );
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
  expect(lines[0]).toEqual({ progress: { phase: 'reading' } });
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
});

test('an option that does not exist or has no such value is 400', async () => {
  expect((await put('?prune=everything')).status).toBe(400);
  expect((await put('?prunes=all')).status).toBe(400);
});

test('a frozen cluster is 503 with Retry-After, and works again when it thaws', async () => {
  zookeeper.freeze();
  const response = await put();
  zookeeper.thaw();
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe('10');
  expect(await response.json()).toMatchObject({ detail: expect.stringContaining(zookeeper.address) });
  expect((await put()).status).toBe(200);
});
