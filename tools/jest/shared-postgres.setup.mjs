// Starts one PostgreSQL server for all test files of a run, with a template database containing the registry's tables,
// which test files copy (libs/test-servers, shared-postgres.ts). Its data is made once and kept until a migration changes.
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { migrationsDigest, query, startPostgres } from '@svc/test-servers';

const REGISTRY = fileURLToPath(new URL('../../apps/registry-api/dist/main.js', import.meta.url));

const TEMPLATE = 'registry_template';

export default async function startSharedPostgres() {
  // Already started by another project of this run.
  if (globalThis.sharedPostgres !== undefined) return;
  const prepared = { name: `registry-${await migrationsDigest()}`, prepare: createTemplate };
  globalThis.sharedPostgres = await startPostgres({ settings: { max_connections: '300' }, prepared });
  process.env.TEST_POSTGRES_CONTENT = prepared.name;
  process.env.TEST_POSTGRES_URL = globalThis.sharedPostgres.url;
  process.env.TEST_REGISTRY_TEMPLATE = TEMPLATE;
}

async function createTemplate({ url }) {
  await query(url, `CREATE DATABASE ${TEMPLATE}`);
  const template = Object.assign(new URL(url), { pathname: TEMPLATE });
  const folder = await mkdtemp(join(tmpdir(), 'registry-template-'));
  const env = { PATH: process.env.PATH, DATA_DIR: folder, DATABASE_URL: template.href };
  const { status, stdout, stderr } = spawnSync(process.execPath, [REGISTRY, 'migrate'], {
    env,
    encoding: 'utf8',
  });
  await rm(folder, { recursive: true });
  if (status !== 0) throw new Error(`cannot migrate the template database: ${stdout}${stderr}`);
}
