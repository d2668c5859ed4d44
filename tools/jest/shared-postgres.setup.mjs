// Starts one PostgreSQL server for all test files of a run, with a template database containing the registry's tables,
// which test files copy (libs/test-servers, shared-postgres.ts).
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startPostgres } from '@svc/test-servers';

const REGISTRY = fileURLToPath(new URL('../../apps/registry-api/dist/main.js', import.meta.url));

export default async function startSharedPostgres() {
  // Already started by another project of this run.
  if (globalThis.sharedPostgres !== undefined) return;
  const server = await startPostgres({ settings: { max_connections: '300' } });
  globalThis.sharedPostgres = server;
  const template = await server.createDatabase();
  await migrate(template);
  process.env.TEST_POSTGRES_URL = server.url;
  process.env.TEST_REGISTRY_TEMPLATE = new URL(template).pathname.slice(1);
}

async function migrate(url) {
  const folder = await mkdtemp(join(tmpdir(), 'registry-template-'));
  const env = { PATH: process.env.PATH, DATA_DIR: folder, DATABASE_URL: url };
  const { status, stdout, stderr } = spawnSync(process.execPath, [REGISTRY, 'migrate'], {
    env,
    encoding: 'utf8',
  });
  await rm(folder, { recursive: true });
  if (status !== 0) throw new Error(`cannot migrate the template database: ${stdout}${stderr}`);
}
