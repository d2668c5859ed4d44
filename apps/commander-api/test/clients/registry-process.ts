import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { askJson, listeningAddress, recordLog, recordSecrets, SharedPostgres } from '@svc/test-servers';

const MAIN = new URL('../../../registry-api/dist/main.js', import.meta.url).pathname;

/** A built registry on PostgreSQL. */
export interface RunningRegistry {
  readonly url: string;
  readonly token: string;
  /** Asks it directly, past svccmd. */
  ask(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; body: Record<string, unknown> }>;
  stop(): Promise<void>;
}

/** @param environment settings beside the defaults */
export async function startRegistry(
  environment: Readonly<Record<string, string>> = {},
): Promise<RunningRegistry> {
  const postgres = new SharedPostgres();
  const folder = await mkdtemp(join(tmpdir(), 'svccmd-registry-'));
  const child = spawn(process.execPath, [MAIN], {
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      DATA_DIR: folder,
      DATABASE_URL: await postgres.createRegistryDatabase(),
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const url = await listeningAddress(child);
  const token = (await readFile(join(folder, 'bootstrap-token'), 'utf8')).trim();
  recordSecrets(token);
  return {
    url,
    token,
    ask: async (method, path, body) => {
      const answer = await askJson<Record<string, unknown> | undefined>(url + path, { method, token, body });
      return { status: answer.status, body: answer.body ?? {} };
    },
    stop: async () => {
      child.kill('SIGTERM');
      await once(child, 'close');
      recordLog(printed);
      await postgres.dropDatabases();
      await rm(folder, { recursive: true });
    },
  };
}
