import { randomBytes } from 'node:crypto';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { eventually, type PostgresServer, query, recordFigure, startPostgres } from '@svc/test-servers';
import { RegistryProcess } from '../registry-process.js';
import { ClusterLoad } from './support/cluster-load.js';
import { seconds } from './support/load-outcome.js';

jest.setTimeout(300_000);

/** How often the role changes. */
const ROUNDS = Number(process.env['DRILL_ROUNDS'] ?? 1);

/** Idle connections are closed after 10 s, and the connection for notifications is replaced after 15 s. */
const REPLACED_MS = 20_000;

/** The connection for notifications is verified every 15 s. */
const VERIFIED_MS = 17_000;

const OWNER = 'svc_owner';

let server: PostgresServer;
let database: URL;
let dataDir: string;
let registry: RegistryProcess;
beforeAll(async () => {
  server = await startPostgres();
  database = new URL(await server.createDatabase());
  dataDir = await mkdtemp(join(tmpdir(), 'drill-'));
  await admin(`CREATE ROLE ${OWNER}`);
  await admin(`ALTER DATABASE ${database.pathname.slice(1)} OWNER TO ${OWNER}`);
  await setUrl(await createRole('svc_0'));
  registry = await RegistryProcess.start({
    DATABASE_URL_FILE: join(dataDir, 'database-url'),
    DATA_DIR: dataDir,
    BOOTSTRAP_TOKEN: randomBytes(32).toString('hex'),
  });
});
afterAll(async () => {
  expect(await registry.end('SIGTERM')).toBe(0);
  await server.stop();
  await rm(dataDir, { recursive: true });
});

const admin = async (sql: string) => query(database.href, sql);

/** A role that acts as the owner of the database. @returns its connection URL */
async function createRole(name: string): Promise<string> {
  const password = randomBytes(12).toString('hex');
  await admin(`CREATE ROLE ${name} LOGIN PASSWORD '${password}' IN ROLE ${OWNER}`);
  await admin(`ALTER ROLE ${name} SET role = ${OWNER}`);
  return Object.assign(new URL(database), { username: name, password }).href;
}

/** As secrets are mounted: at once. */
async function setUrl(url: string): Promise<void> {
  await writeFile(join(dataDir, 'new'), url);
  await rename(join(dataDir, 'new'), join(dataDir, 'database-url'));
}

const sessionsOf = async (role: string) =>
  admin(`SELECT application_name FROM pg_stat_activity WHERE usename = '${role}'`);

test('the role changes under load: the former one is no longer used soon, and can be dropped; no request fails', async () => {
  const load = await ClusterLoad.start(registry);
  const replacedMs: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const [former, next] = [`svc_${round}`, `svc_${round + 1}`];
    await setUrl(await createRole(next));
    const start = performance.now();
    await eventually(async () => expect(await sessionsOf(former)).toEqual([]));
    replacedMs.push(performance.now() - start);
    await admin(`DROP ROLE ${former}`);
    await load.more(50);
  }
  await load.stop();
  await load.feed.stop();

  recordFigure(
    `the role changed under load and the former one dropped, ${ROUNDS} times`,
    `${load.acknowledged.size} registrations, ${load.timeline.failures} of their requests failed; ` +
      `the former role was in use for ${seconds(Math.max(...replacedMs))} at most`,
  );
  expect(load.unexpected).toEqual([]);
  expect(load.timeline.failures).toBe(0);
  expect(Math.max(...replacedMs)).toBeLessThan(REPLACED_MS);
});

test('a URL that does not work changes nothing but a line of the log', async () => {
  const load = await ClusterLoad.start(registry);
  const wrong = Object.assign(new URL(database), { username: 'nobody_here' });
  await setUrl(wrong.href);
  await eventually(async () =>
    expect(registry.printed()).toContain('has changed, but the new one does not work'),
  );
  const until = performance.now() + VERIFIED_MS;
  do await load.more(100);
  while (performance.now() < until);
  await load.stop();
  await load.feed.stop();
  const headers = { authorization: `Bearer ${await registry.token()}` };
  const metrics = await fetch(`${registry.url}/metrics`, { headers });
  expect(await metrics.text()).toMatch(/^change_notification_link_up\b.* 1$/m);
  recordFigure('a URL that does not work, under load: failed requests', String(load.timeline.failures));
  expect(load.unexpected).toEqual([]);
  expect(load.timeline.failures).toBe(0);
  expect(registry.printed().match(/has changed, but the new one does not work/g)).toHaveLength(1);
});
