import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { askJson, type PostgresServer, recordSecrets, startPostgres } from '@svc/test-servers';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

let server: PostgresServer;
let environment: { DATABASE_URL: string; DATA_DIR: string; DATABASE_WAIT_SECONDS: string };
beforeAll(async () => {
  server = await startPostgres();
  environment = {
    DATABASE_URL: await server.createRegistryDatabase(),
    DATA_DIR: await mkdtemp(join(tmpdir(), 'registry-')),
    DATABASE_WAIT_SECONDS: '50',
  };
  await server.halt('stop');
});
afterAll(async () => {
  await server.stop();
  await rm(environment.DATA_DIR, { recursive: true });
});

/** The program, once it says that it waits. */
async function startWaiting() {
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH: process.env['PATH'], PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await untilPrinted(child.stdout, /waiting for the database/);
  return child;
}

/** Reads until the output matches; what follows can be read later. */
async function untilPrinted(output: Readable, wanted: RegExp): Promise<RegExpExecArray> {
  let text = '';
  for await (const chunk of output.iterator({ destroyOnReturn: false })) {
    text += String(chunk);
    const found = wanted.exec(text);
    if (found) return found;
  }
  throw new Error(`it ended without ${wanted}: ${text}`);
}

test('SIGTERM ends a registry that waits for its database', async () => {
  const child = await startWaiting();
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([143, null]);
});

test('a registry that was started before its database serves once that is there', async () => {
  const child = await startWaiting();
  await server.startAgain();
  const [, url] = await untilPrinted(child.stdout, /"url":"([^"]+)"/);
  const token = (await readFile(join(environment.DATA_DIR, 'bootstrap-token'), 'utf8')).trim();
  recordSecrets(token);
  expect((await askJson(`${url}/client`, { method: 'GET', token })).status).toBe(200);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});
