import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { askForJson, type PostgresServer, query, startPostgres } from '@svc/test-servers';
import { findPrograms } from './support/debian-postgres.js';
import { readPage } from './support/documented-tables.js';
import { fencedBlocks } from './support/fenced-blocks.js';
import { type RunningService, startRegistry } from './support/services.js';

const run = promisify(execFile);

const TOKEN = 'bootstrap-token-of-the-test-of-high-availability';

const blocks = fencedBlocks(readPage('docs/high-availability.md')).filter(
  ({ language }) => language === 'sh',
);

let folder: string;
let server: PostgresServer;
let registry: RunningService | undefined;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-ha-'));
  server = await startPostgres();
});
afterAll(async () => {
  await registry?.stop();
  await server.stop();
  rmSync(folder, { recursive: true });
});

const urlFile = () => join(folder, 'database-url');

/** Runs the commands below a heading as they are pasted. @returns what they print */
async function paste(heading: string): Promise<string> {
  const script = blocks
    .filter((block) => block.heading === heading)
    .map(({ text }) => text)
    .join('');
  expect(script).not.toBe('');
  const { stdout, stderr } = await run('bash', ['--norc', '-euo', 'pipefail', '-c', script], {
    env: {
      PATH: `${findPrograms()}:${process.env['PATH']}`,
      ADMIN_URL: server.url,
      PASSWORD: 'first-password',
      NEW_PASSWORD: 'second-password',
      DATABASE_URL_FILE: urlFile(),
    },
  });
  expect(stderr).toBe('');
  return stdout;
}

const register = async () =>
  askForJson(`${registry!.url}/client`, {
    method: 'POST',
    token: TOKEN,
    body: { client_name: 'Shop', redirect_uris: ['https://shop.example/cb'] },
  });

/** Debian's postgresql is asked for where it is; elsewhere the run says that this was skipped. */
const onDebian = findPrograms() === undefined ? test.skip : test;

onDebian('the page’s commands set up the roles, show the standbys and change the role', async () => {
  await paste('Roles');
  const url = Object.assign(new URL(server.url), {
    ...{ username: 'svc_1', password: 'first-password', pathname: '/registry' },
  });
  writeFileSync(urlFile(), url.href, { mode: 0o600 });
  registry = await startRegistry({
    ...{ DATA_DIR: folder, DATABASE_URL_FILE: urlFile(), BOOTSTRAP_TOKEN: TOKEN },
  });
  await register();
  const standby = await server.startStandby({ cluster_name: 'pg2' });
  expect(await paste('The registry')).toMatch(/pg2 +\| streaming +\| async/);
  await standby.stop();
  const changed = paste('Changing the role');
  let isChanged = false;
  changed.then(
    () => (isChanged = true),
    () => (isChanged = true),
  );
  while (!isChanged) await register();
  await changed;
  expect(statSync(urlFile()).mode & 0o777).toBe(0o600);
  expect(
    await query(server.url, `SELECT rolname FROM pg_roles WHERE rolname LIKE 'svc_%' ORDER BY 1`),
  ).toEqual([{ rolname: 'svc_2' }, { rolname: 'svc_owner' }]);
});
