import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { jest } from '@jest/globals';
import { recordLog } from '@svc/test-servers';
import { collect } from './support/example.js';
import { Registry } from './support/registry.js';

jest.setTimeout(120_000);

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const ADAPTER = new URL('../dist/authorization-server/memory-adapter.js', import.meta.url).href;

let page: string;
let registry: Registry;
beforeAll(async () => {
  page = await readFile(join(ROOT, 'docs/authorization-server.md'), 'utf8');
  registry = await Registry.start();
});
afterAll(async () => registry.stop());

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address ? address.port : 0;
}

test('the page’s authorization server serves the registry’s Clients, and can be stopped', async () => {
  const [, code = ''] = /```js\n([^]*?)```/.exec(page) ?? [];
  // In the repository, so that packages are resolved.
  await mkdir(join(ROOT, '.nx'), { recursive: true });
  const folder = await mkdtemp(join(ROOT, '.nx', 'docs-'));
  const file = join(folder, 'server.mjs');
  await writeFile(file, `import { MemoryAdapter as MyAdapter } from '${ADAPTER}';\n${code}`);
  const { token } = await registry.mint(['clients:read', 'clients:check']);
  const issuer = `http://127.0.0.1:${await freePort()}`;
  const child = spawn(process.execPath, [file], {
    env: { PATH: process.env['PATH'], ISSUER: issuer, REGISTRY_URL: registry.url, REGISTRY_TOKEN: token },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed = collect(child);
  while (!printed().includes('following changes')) await once(child.stdout, 'data');

  const discovery = await fetch(`${issuer}/.well-known/openid-configuration`);
  expect(await discovery.json()).toMatchObject({ registration_endpoint: `${registry.url}/register` });
  const { client_id } = await registry.register();
  const query = new URLSearchParams({
    ...{ client_id, response_type: 'code', scope: 'openid', redirect_uri: 'https://shop.example/cb' },
    ...{ code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' },
  });
  const authorize = async () =>
    (await fetch(`${issuer}/auth?${query.toString()}`, { redirect: 'manual' })).status;
  expect(await authorize()).toBe(303);
  await registry.ask('POST', `/client/${client_id}/disable`);
  while ((await authorize()) !== 400);

  child.kill('SIGTERM');
  expect(await once(child, 'close')).toEqual([0, null]);
  recordLog(printed());
  await rm(folder, { recursive: true });
});

test('the page’s commands work in order', async () => {
  const commands = [...page.matchAll(/^\$ (.*)$/gm)].map(([, command]) => String(command));
  // The first two set the reader's registry.
  expect(commands.slice(0, 2)).toEqual([
    expect.stringMatching(/^REGISTRY=/),
    expect.stringMatching(/^TOKEN=/),
  ]);
  const here = [`REGISTRY=${registry.url}`, `TOKEN=${await registry.token()}`];
  const script = ['set -euo pipefail', 'cd "$(mktemp -d)"', ...here, ...commands.slice(2)].join('\n');
  const child = spawn('bash', ['--norc', '-c', script], { stdio: ['ignore', 'pipe', 'pipe'] });
  const printed = collect(child);
  const [status] = (await once(child, 'close')) as [number | null];
  expect({ status, printed: printed() }).toEqual({
    status: 0,
    printed: expect.stringMatching(/"valid":true.*must_not_redirect.*"valid":true.*retry: \d+/s),
  });
});

test('every variable of the example is on the page', async () => {
  const source = await readFile(join(ROOT, 'apps/example-authorization-server/src/config.ts'), 'utf8');
  const names = [...source.matchAll(/^ {2}([A-Z_]+): /gm)].map(([, name]) => String(name));
  expect(names).toContain('REGISTRY_URL');
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
