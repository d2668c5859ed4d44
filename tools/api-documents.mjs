// Fetches /openapi.json of both services from the built programs.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listeningAddress } from '@svc/test-servers';

const root = fileURLToPath(new URL('..', import.meta.url));

/** With registration enabled, so that its endpoints are included. */
const REGISTRY = ['apps/registry-api/dist/main.js'];
const COMMANDER = ['apps/commander-api/bin/svccmd.js', '-c', 'svccmd.conf', 'serve'];

export async function registryDocument() {
  return ask(REGISTRY, { PORT: '0', REGISTRATION: 'token' });
}

export async function commanderDocument() {
  return ask(COMMANDER, { SVCCMD_HTTP_PORT: '0' });
}

/**
 * @param {string[]} command of the program
 * @param {Record<string, string>} environment
 */
async function ask([program, ...words], environment) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-api-'));
  writeFileSync(join(folder, 'svccmd.conf'), '');
  const child = spawn(process.execPath, [`${root}${program}`, ...words], {
    cwd: folder,
    env: { PATH: process.env.PATH, DATA_DIR: folder, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  try {
    const answer = await fetch(`${await listeningAddress(child)}/openapi.json`);
    return await answer.json();
  } finally {
    child.kill('SIGTERM');
    await closed;
    rmSync(folder, { recursive: true });
  }
}
