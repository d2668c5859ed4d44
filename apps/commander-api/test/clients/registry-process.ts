import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recordLog, recordSecrets, startPostgres } from '@svc/test-servers';

const MAIN = new URL('../../../registry-api/dist/main.js', import.meta.url).pathname;

/** A built registry on a PostgreSQL of its own. */
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
  const postgres = await startPostgres();
  const folder = await mkdtemp(join(tmpdir(), 'svccmd-registry-'));
  const child = spawn(process.execPath, [MAIN], {
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      DATA_DIR: folder,
      DATABASE_URL: await postgres.createDatabase(),
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  const url = await new Promise<string>((resolve, reject) => {
    const take = (chunk: Buffer): void => {
      said += chunk.toString();
      const found = /"url":"([^"]+)"/.exec(said)?.[1];
      if (found !== undefined) resolve(found);
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.once('close', () => reject(new Error(`the registry ended: ${said}`)));
  });
  const token = (await readFile(join(folder, 'bootstrap-token'), 'utf8')).trim();
  recordSecrets(token);
  return {
    url,
    token,
    ask: async (method, path, body) => {
      const response = await fetch(url + path, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, body: (text ? JSON.parse(text) : {}) as Record<string, unknown> };
    },
    stop: async () => {
      child.kill('SIGTERM');
      await once(child, 'close');
      recordLog(said);
      await postgres.stop();
      await rm(folder, { recursive: true });
    },
  };
}
