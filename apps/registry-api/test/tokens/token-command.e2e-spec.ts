import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RegistryProcess, runProgram } from '../registry-process.js';
import { ask } from '../running-registry.js';
import { SharedPostgres } from '@svc/test-servers';

const server = new SharedPostgres();
let dataDir: string;
afterAll(async () => server.dropDatabases());
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'registry-'));
});
afterEach(async () => rm(dataDir, { recursive: true }));

test('beside a running registry the shell makes a token that works, and prints nothing else', async () => {
  const environment = { DATABASE_URL: await server.createRegistryDatabase(), DATA_DIR: dataDir };
  const registry = await RegistryProcess.start(environment);
  const made = await runProgram(
    ['token', 'create', '--name', 'rescue', '--scope', 'clients:read'],
    environment,
  );
  expect(made.status).toBe(0);
  expect(made.output).toMatch(/^svcr_[\w-]{43}\n$/);
  const value = made.output.trim();
  expect(made.errors).not.toContain(value);
  expect((await ask(`${registry.url}/client`, 'GET', value)).status).toBe(200);
  expect((await ask(`${registry.url}/token`, 'GET', value)).status).toBe(403);
  const { body } = await registry.ask('GET', '/token');
  expect(body['tokens']).toContainEqual(expect.objectContaining({ name: 'rescue', created_by: 'shell' }));
  expect(await registry.end('SIGTERM')).toBe(0);
});

test('with the embedded database the registry has to be stopped first, and the error says so', async () => {
  const environment = { DATA_DIR: dataDir };
  const registry = await RegistryProcess.start(environment);
  const refused = await runProgram(['token', 'create', '--name', 'rescue'], environment);
  expect([refused.status, refused.output]).toEqual([1, '']);
  expect(refused.errors).toContain('in use by another running process');
  expect(await registry.end('SIGTERM')).toBe(0);
  const made = await runProgram(['token', 'create', '--name', 'rescue'], environment);
  const again = await RegistryProcess.start(environment);
  expect((await ask(`${again.url}/token`, 'GET', made.output.trim())).status).toBe(200);
  expect(await again.end('SIGTERM')).toBe(0);
});

test('a command line that cannot be used is told so, with status 2', async () => {
  const { status, output, errors } = await runProgram(['token', 'create'], { DATA_DIR: dataDir });
  expect([status, output]).toEqual([2, '']);
  expect(errors).toBe('registry-api: name is required\n');
});
