import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { readRegistryConfig } from '../src/config.js';
import { RegistryProcess } from './registry-process.js';

jest.setTimeout(60_000);

const PAGE = new URL('../../../docs/registry.md', import.meta.url);

let page: string;
let dataDir: string;
let registry: RegistryProcess;
beforeAll(async () => {
  page = await readFile(PAGE, 'utf8');
  dataDir = await mkdtemp(join(tmpdir(), 'registry-docs-'));
  registry = await RegistryProcess.start({ DATA_DIR: dataDir });
});
afterAll(async () => {
  await registry.end('SIGTERM');
  await rm(dataDir, { recursive: true });
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
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)));
  const [status] = (await once(child, 'close')) as [number | null];
  expect({ status, said }).toEqual({ status: 0, said: expect.stringContaining('304\n') });
});

test('every route of the API stands in the page', async () => {
  const { body } = await registry.ask('GET', '/openapi.json');
  const missing = Object.entries(body['paths'] as Record<string, object>).flatMap(([path, operations]) =>
    Object.keys(operations)
      .map((method) => `${method.toUpperCase()} ${path}`)
      .filter((route) => !page.includes(route) && !page.includes(`\`${path}\``)),
  );
  expect(missing).toEqual([]);
});

test('every variable of the configuration stands in the page', () => {
  const names = new Set<string>();
  const asked = (_: object, name: string | symbol) => void names.add(String(name));
  readRegistryConfig(new Proxy({}, { get: asked }));
  const variables = [...names].filter((name) => !name.endsWith('_FILE'));
  expect(variables).toContain('DATABASE_URL');
  expect(variables.filter((name) => !page.includes(`| \`${name}\``))).toEqual([]);
});
