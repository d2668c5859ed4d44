import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { jest } from '@jest/globals';
import { type PostgresServer, startPostgres } from '@svc/test-servers';
import { RegistryProcess } from '../registry-process.js';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

// A process starts in a second or in many, as busy as the machine is.
jest.setTimeout(60_000);

let server: PostgresServer;
let environment: { DATABASE_URL: string; DATA_DIR: string; DATABASE_WAIT_SECONDS: string };
beforeAll(async () => {
  server = await startPostgres();
  environment = {
    DATABASE_URL: await server.createDatabase(),
    DATA_DIR: await mkdtemp(join(tmpdir(), 'registry-')),
    DATABASE_WAIT_SECONDS: '50',
  };
  await server.halt('stop');
});
afterAll(async () => {
  await server.stop();
  await rm(environment.DATA_DIR, { recursive: true });
});

/** The program, once it says that it waits. Its output stays open to whoever asks for more. */
async function startWaiting() {
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH: process.env['PATH'], PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    if (String(chunk).includes('waiting for the database')) return child;
  }
  throw new Error('it ended without waiting');
}

test('SIGTERM ends a registry that waits for its database', async () => {
  const child = await startWaiting();
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([143, null]);
});

test('a registry that was started before its database serves once that is there', async () => {
  const waiting = RegistryProcess.start(environment);
  // Another one that waits shows that the first one had the time to ask in vain.
  const other = await startWaiting();
  other.kill('SIGKILL');
  await server.startAgain();
  const registry = await waiting;
  expect((await registry.ask('GET', '/client')).status).toBe(200);
  expect(await registry.end('SIGTERM')).toBe(0);
  expect(registry.said()).toContain('waiting for the database');
});
