import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { PostgresCluster } from '@svc/test-servers';
import { RegistryProcess } from '../registry-process.js';
import { ClusterLoad } from './support/cluster-load.js';
import { STORED_CLIENTS, type StoredClient, verifyLoad } from './support/load-outcome.js';

jest.setTimeout(600_000);

/** How often each thing happens. */
const ROUNDS = Number(process.env['DRILL_ROUNDS'] ?? 1);

/** For how long servers are frozen, in milliseconds. */
const FROZEN_MS = 5_000;

/** The longest time without a read, in milliseconds. */
const READ_GAP_MS = 1_000;

let cluster: PostgresCluster;
let dataDir: string;
let registry: RegistryProcess;
beforeAll(async () => {
  cluster = await PostgresCluster.start(2);
  const standbys = cluster.standbys.map(({ url }) => new URL(url).host);
  const readUrl = new URL(cluster.url);
  dataDir = await mkdtemp(join(tmpdir(), 'drill-'));
  registry = await RegistryProcess.start({
    DATABASE_URL: cluster.url,
    DATABASE_READ_URL: readUrl.href.replace(readUrl.host, standbys.join(',')),
    STALE_CREDENTIALS_SECONDS: '60',
    DATA_DIR: dataDir,
    BOOTSTRAP_TOKEN: randomBytes(32).toString('hex'),
  });
});
afterAll(async () => {
  expect(await registry.end('SIGTERM')).toBe(0);
  await cluster.stop();
  await rm(dataDir, { recursive: true });
});

async function crash(): Promise<number> {
  await cluster.primary.halt('kill');
  await sleep(FROZEN_MS);
  await cluster.primary.startAgain();
  return performance.now();
}

async function freeze(): Promise<number> {
  await cluster.primary.freeze();
  await sleep(FROZEN_MS);
  await cluster.primary.thaw();
  return performance.now();
}

test.each<[string, () => Promise<number>]>([
  ['reads from standbys, the primary crashed for 5 s', crash],
  ['reads from standbys, the primary frozen for 5 s', freeze],
])('%s: reads go on', async (name, strike) => {
  const load = await ClusterLoad.start(registry, 'first');
  const backMs: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await sleep(1_000);
    const moment = await strike();
    await load.more(20);
    backMs.push(load.timeline.untilWritten(moment));
  }
  const stored = async () => cluster.query<StoredClient>(cluster.primary, STORED_CLIENTS);
  await verifyLoad(name, load, backMs, { stored, backWithinMs: 8_000 });
  expect(load.timeline.readGapMs).toBeLessThan(READ_GAP_MS);
});
