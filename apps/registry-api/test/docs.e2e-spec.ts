import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readRegistryConfig } from '../src/config.js';
import { SharedPostgres } from '@svc/test-servers';
import { RegistryProcess } from './registry-process.js';

const PAGE = new URL('../../../docs/registry.md', import.meta.url);

const postgres = new SharedPostgres();
let page: string;
let dataDir: string;
let registry: RegistryProcess;
beforeAll(async () => {
  page = await readFile(PAGE, 'utf8');
  dataDir = await mkdtemp(join(tmpdir(), 'registry-docs-'));
  const DATABASE_URL = await postgres.createRegistryDatabase();
  registry = await RegistryProcess.start({
    DATABASE_URL,
    DATA_DIR: dataDir,
    REGISTRATION: 'token',
    SECRET_IMPORT: 'allowed',
  });
});
afterAll(async () => {
  await registry.end('SIGTERM');
  await rm(dataDir, { recursive: true });
  await postgres.dropDatabases();
});

test('every command of the page works, in its order', async () => {
  const commands = [...page.matchAll(/^\$ (.*)$/gm)].map(([, command]) => String(command));
  // The first two say where the reader's registry is.
  const here = [`REGISTRY=${registry.url}`, `TOKEN=${await registry.token()}`];
  expect(commands.slice(0, 2)).toEqual([
    expect.stringMatching(/^REGISTRY=/),
    expect.stringMatching(/^TOKEN=/),
  ]);
  const script = ['set -euo pipefail', ...here, ...commands.slice(2)].join('\n');
  const child = spawn('bash', ['--norc', '-c', script], { stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += String(chunk)));
  const [status] = (await once(child, 'close')) as [number | null];
  expect({ status, printed }).toEqual({ status: 0, printed: expect.stringContaining('304\n') });
});

test('every route of the API is on the page with a command', async () => {
  const { body } = await registry.ask('GET', '/openapi.json');
  const routes = Object.entries(body['paths'] as Record<string, object>).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(routes).toContain('PUT /register/{client_id}');
  // A path without parameters goes first: /client/features is no client_id.
  const templates = [...routes, 'GET /openapi.json', 'GET /docs'].sort((a, b) => wildness(a) - wildness(b));
  const shown = new Set(
    [...page.matchAll(/^\$ .*?\bcurl .*$/gm)].map(([command]) => {
      const asked = routeAskedBy(command);
      return templates.find((route) => patternOf(route).test(asked));
    }),
  );
  expect(templates.filter((route) => !shown.has(route))).toEqual([]);
});

test('every variable of the configuration is on the page', () => {
  const names = new Set<string>();
  const asked = (_: object, name: string | symbol) => void names.add(String(name));
  readRegistryConfig(new Proxy({}, { get: asked }));
  const variables = [...names].filter((name) => !name.endsWith('_FILE'));
  expect(variables).toContain('DATABASE_URL');
  expect(variables.filter((name) => !page.includes(`| \`${name}\``))).toEqual([]);
});

/** Method and path of a curl command. */
function routeAskedBy(command: string): string {
  const [, path = ''] = /\$REGISTRY(\/[^\s"?)]*)/.exec(command) ?? [];
  const [, named] = / -X ([A-Z]+) /.exec(command) ?? [];
  const implied = / -d /.test(command) && !/ -G /.test(command) ? 'POST' : 'GET';
  return `${named ?? implied} ${path}`;
}

function patternOf(route: string): RegExp {
  return new RegExp(`^${route.replace(/\{\w+\}/g, '[^/]+')}$`);
}

function wildness(route: string): number {
  return route.split('{').length;
}
