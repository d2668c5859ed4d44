import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { type Pgbouncer, PostgresCluster, startPgbouncer } from '@svc/test-servers';
import { RegistryProcess } from '../registry-process.js';
import { ClusterLoad } from './support/cluster-load.js';
import { STORED_CLIENTS, type StoredClient, verifyLoad } from './support/load-outcome.js';

jest.setTimeout(600_000);

/** How often each thing happens. */
const ROUNDS = Number(process.env['DRILL_ROUNDS'] ?? 1);

const PAGE = new URL('../../../../docs/high-availability.md', import.meta.url);

/** What depends on the machine. */
const OWN_SETTINGS = /^(listen_|auth_|unix_)/;

/** Until a failure is noticed and a standby is promoted. */
const NOTICED_MS = 1_000;

let cluster: PostgresCluster;
let pooler: Pgbouncer;
let dataDir: string;
let registry: RegistryProcess;
beforeAll(async () => {
  cluster = await PostgresCluster.start(1);
  pooler = await startPgbouncer(cluster.url, await documentedSettings());
  dataDir = await mkdtemp(join(tmpdir(), 'drill-'));
  registry = await RegistryProcess.start({
    DATABASE_URL: pooler.through(cluster.url),
    DATABASE_LISTEN_URL: cluster.url,
    DATA_DIR: dataDir,
    BOOTSTRAP_TOKEN: randomBytes(32).toString('hex'),
  });
});
afterAll(async () => {
  expect(await registry.end('SIGTERM')).toBe(0);
  await pooler.stop();
  await cluster.stop();
  await rm(dataDir, { recursive: true });
});

/** Those of the page's pgbouncer.ini. */
async function documentedSettings(): Promise<Record<string, string>> {
  const [, ini = ''] = /^\[pgbouncer\]\n([^]*?)^```/m.exec(await readFile(PAGE, 'utf8')) ?? [];
  const settings = [...ini.matchAll(/^(\w+) = ([^;\n]+)/gm)].map(([, name, value]) => [name!, value!.trim()]);
  expect(settings.length).toBeGreaterThan(3);
  return Object.fromEntries(settings.filter(([name]) => !OWN_SETTINGS.test(name!))) as Record<string, string>;
}

/** @returns when the new primary took writes and the address led to it */
async function failOver(): Promise<number> {
  await sleep(NOTICED_MS);
  const former = await cluster.promote(await cluster.mostAdvanced());
  // It has no standby left.
  await cluster.synchronise(0);
  cluster.pointTo(cluster.primary);
  cluster.endpoint.cut();
  const moment = performance.now();
  await former.thaw();
  await former.stop();
  return moment;
}

test.each<[string, () => Promise<number>]>([
  [
    'PgBouncer killed and restarted',
    async () => {
      await pooler.restart();
      return performance.now();
    },
  ],
  [
    'kill -9 of the primary behind PgBouncer',
    async () => {
      await cluster.primary.halt('kill');
      return failOver();
    },
  ],
  [
    'the primary frozen behind PgBouncer, its sessions cut',
    async () => {
      await cluster.primary.freeze();
      return failOver();
    },
  ],
])('%s: nothing acknowledged is lost, and writes are back soon', async (name, strike) => {
  const load = await ClusterLoad.start(registry);
  const backMs: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await cluster.addStandbys(1);
    await cluster.synchronise(1);
    const moment = await strike();
    await load.more(20);
    backMs.push(load.timeline.untilWritten(moment));
  }
  await verifyLoad(name, load, backMs, {
    stored: async () => cluster.query<StoredClient>(cluster.primary, STORED_CLIENTS),
  });
});
