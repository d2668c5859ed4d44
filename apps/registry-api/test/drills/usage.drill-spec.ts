import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { jest } from '@jest/globals';
import pg from 'pg';
import { type PostgresServer, query, recordFigure, startPostgres } from '@svc/test-servers';
import { RegistryProcess } from '../registry-process.js';
import { pathOf, registration } from '../running-registry.js';
import { acceptedRow, batchOf } from '../usage/recorded.js';
import { storeClients } from './support/store-clients.js';

jest.setTimeout(3_600_000);

/** How often a replica is killed. */
const KILLS = Number(process.env['DRILL_KILLS'] ?? 1);

/** Made-up redirect URIs. */
const MADE_UP = Number(process.env['DRILL_URIS'] ?? 2_000);

/** Clients that are in use at once. */
const CLIENTS = Number(process.env['DRILL_CLIENTS'] ?? 6_000);

/** Longer than the interval at which counts are written, by what writing may take. */
const INTERVAL_MS = 11_500;

/** Checks at once. */
const CALLERS = 4;

let server: PostgresServer;
let folder: string;
let environment: { DATA_DIR: string; DATABASE_URL: string; BOOTSTRAP_TOKEN: string };
beforeAll(async () => {
  server = await startPostgres();
  folder = await mkdtemp(join(tmpdir(), 'drill-'));
  const DATABASE_URL = await server.createRegistryDatabase();
  environment = { DATA_DIR: folder, DATABASE_URL, BOOTSTRAP_TOKEN: randomBytes(32).toString('base64url') };
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

const start = async () => RegistryProcess.start(environment);
const register = async (registry: RegistryProcess, overrides: object = {}) =>
  String((await registry.ask('POST', '/client', { body: registration({ ...overrides }) })).body['client_id']);
const check = async (registry: RegistryProcess, clientId: string, redirect_uri: string) =>
  registry.ask('POST', `${pathOf(clientId)}/check/authorization_request`, {
    body: { response_type: 'code', redirect_uri },
  });

/** Checks until `until` resolves. @returns when each check was answered */
async function checkSteadily(
  registry: RegistryProcess,
  clientId: string,
  until: Promise<unknown>,
): Promise<number[]> {
  const answeredAt: number[] = [];
  let isOver = false;
  void until.finally(() => (isOver = true));
  const call = async () => {
    while (!isOver) {
      const { status } = await check(registry, clientId, 'https://shop.example/cb').catch(() => ({
        status: 0,
      }));
      if (status === 200) answeredAt.push(Date.now());
      await sleep(5);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, call));
  return answeredAt;
}

async function counted(
  registry: RegistryProcess,
  clientId: string,
): Promise<{ accepted: number; refused: number }> {
  const { body } = await registry.ask('GET', `${pathOf(clientId)}/usage?days=2`);
  const periods = body['periods'] as { accepted: number; refused: number }[];
  const sum = (of: 'accepted' | 'refused') => periods.reduce((total, period) => total + period[of], 0);
  return { accepted: sum('accepted'), refused: sum('refused') };
}

test('a killed replica loses at most the counts of one interval, all others add up exactly', async () => {
  let other = await start();
  for (let kill = 0; kill < KILLS; kill += 1) {
    const killed = await start();
    const [ofKilled, ofOther, ofReporter] = [
      await register(other),
      await register(other),
      await register(other),
    ];
    const isOver = sleep(INTERVAL_MS * (1 + Math.random() / 4)).then(async () => {
      const at = Date.now();
      await killed.end('SIGKILL');
      return at;
    });
    const batches = Array.from({ length: 20 }, () => batchOf([acceptedRow(ofReporter, { count: 3 })]));
    const report = async () => {
      for (const body of batches) {
        // As the adapter does: the same batch again, here to both replicas, one of which may be killed meanwhile.
        await killed.ask('POST', '/clients/usage', { body }).catch(() => undefined);
        expect((await other.ask('POST', '/clients/usage', { body })).status).toBe(200);
        await sleep(500);
      }
    };
    const [fromKilled, fromOther] = await Promise.all([
      checkSteadily(killed, ofKilled, isOver),
      checkSteadily(other, ofOther, isOver),
      report(),
    ]);
    expect(await other.end('SIGTERM')).toBe(0);
    other = await start();
    expect((await counted(other, ofOther)).accepted).toBe(fromOther.length);
    expect((await counted(other, ofReporter)).accepted).toBe(60);
    const { accepted } = await counted(other, ofKilled);
    const killedAt = await isOver;
    const atRisk = fromKilled.filter((at) => at > killedAt - INTERVAL_MS).length;
    // Checks may be counted whose answer never arrived.
    expect(accepted).toBeLessThanOrEqual(fromKilled.length + CALLERS);
    expect(accepted).toBeGreaterThanOrEqual(fromKilled.length - atRisk);
    recordFigure(
      `lost of ${fromKilled.length} checks, kill ${kill + 1}`,
      String(fromKilled.length - accepted),
    );
    // After a quarter of an hour of silence its day counts as incomplete.
    await query(
      environment.DATABASE_URL,
      `UPDATE usage_reporter SET reported_to = reported_to - interval '3 days'`,
    );
    const { body } = await other.ask('GET', `${pathOf(ofKilled)}/usage?days=5`);
    expect(body['incomplete_days']).toContain(
      new Date(killedAt - 3 * 24 * 3_600_000).toISOString().slice(0, 10),
    );
  }
  await other.end('SIGTERM');
});

/** As documented: 2 ms per count, looked at every ten seconds, a minute at most. With what the machine may take to write. */
const GROWN_INTERVAL_MS = Math.min(Math.ceil((CLIENTS * 2) / 10_000) * 10_000, 60_000) + 2_500;

test(`with ${CLIENTS} Clients in use, a killed replica loses at most the counts of its longer interval`, async () => {
  await storeClients(environment.DATABASE_URL, CLIENTS);
  const killed = await start();
  const sent = new Map<string, number>();
  const answers: { readonly clientId: string; readonly at: number }[] = [];
  const checkOnce = async (clientId: string) => {
    sent.set(clientId, (sent.get(clientId) ?? 0) + 1);
    const { status } = await check(killed, clientId, 'https://shop.example/cb').catch(() => ({ status: 0 }));
    if (status === 200) answers.push({ clientId, at: Date.now() });
  };
  // A write that waits for this one, so that all are written at once after it, however slow the machine is.
  const locked = new pg.Client({ connectionString: environment.DATABASE_URL });
  await locked.connect();
  await locked.query('BEGIN');
  await locked.query('SELECT 1 FROM usage_recording FOR UPDATE');
  await checkOnce('client-1');
  while (!(await isWaiting())) await sleep(100);
  let next = 0;
  const call = async () => {
    while (next < CLIENTS) await checkOnce(`client-${(next += 1)}`);
  };
  await Promise.all(Array.from({ length: 16 }, call));
  await locked.query('COMMIT');
  await locked.end();
  while ((await countsOf('client-%')).size < CLIENTS) await sleep(100);
  const writtenAt = Date.now();
  // Later than an interval of usual length would be over.
  const isOver = sleep(INTERVAL_MS + Math.random() * (GROWN_INTERVAL_MS - INTERVAL_MS - 2_500)).then(
    async () => {
      const at = Date.now();
      await killed.end('SIGKILL');
      return at;
    },
  );
  let isKilled = false;
  void isOver.then(() => (isKilled = true));
  for (let at = 0; !isKilled; at += 1) {
    await checkOnce(`client-${1 + (at % 100)}`);
    await sleep(5);
  }
  const killedAt = await isOver;
  const counted = await countsOf('client-%');
  for (const [clientId, count] of counted) expect(count).toBeLessThanOrEqual(sent.get(clientId) ?? 0);
  const safe = answers.filter(({ at }) => at < killedAt - GROWN_INTERVAL_MS);
  for (const [clientId, count] of tally(safe)) expect(counted.get(clientId)).toBeGreaterThanOrEqual(count);
  const lost = answers.length - [...counted.values()].reduce((sum, count) => sum + count, 0);
  recordFigure(
    `with ${CLIENTS} Clients in use: lost of ${answers.length} checks, ${((killedAt - writtenAt) / 1_000).toFixed(1)} s after the last write`,
    String(lost),
  );
  expect(lost).toBeLessThanOrEqual(answers.filter(({ at }) => at >= killedAt - GROWN_INTERVAL_MS).length);
});

/** Whether a transaction of the registry waits for another one. */
async function isWaiting(): Promise<boolean> {
  const waiting = await query(
    environment.DATABASE_URL,
    `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return waiting.length > 0;
}

async function countsOf(like: string): Promise<Map<string, number>> {
  const rows = await query<{ client_id: string; count: number }>(
    environment.DATABASE_URL,
    `SELECT client_id, sum(count)::int AS count FROM client_usage WHERE client_id LIKE '${like}' GROUP BY client_id`,
  );
  return new Map(rows.map(({ client_id: id, count }) => [id, count]));
}

function tally(answers: readonly { readonly clientId: string }[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { clientId } of answers) counts.set(clientId, (counts.get(clientId) ?? 0) + 1);
  return counts;
}

test(`${MADE_UP} made-up redirect URIs take at most 200 rows of a Client, and are all counted`, async () => {
  const registry = await start();
  const [flooded, calm] = [await register(registry), await register(registry)];
  let next = 0;
  const call = async () => {
    for (let index = next++; index < MADE_UP; index = next++) {
      await check(registry, flooded, `https://made-up-${index}.example/${index}`);
      if (index % 100 === 0) await check(registry, calm, 'https://shop.example/cb');
    }
  };
  await Promise.all(Array.from({ length: 16 }, call));
  expect(await registry.end('SIGTERM')).toBe(0);
  const after = await start();
  expect(await counted(after, flooded)).toEqual({ accepted: 0, refused: MADE_UP });
  expect((await counted(after, calm)).accepted).toBe(Math.ceil(MADE_UP / 100));
  const [{ rows = 0 } = {}] = await query<{ rows: number }>(
    environment.DATABASE_URL,
    `SELECT count(*)::int AS rows FROM client_usage WHERE client_id = '${flooded}'`,
  );
  // A row for the rest; and another day's, if it is midnight.
  expect(rows).toBeLessThanOrEqual(2 * 51);
  recordFigure('rows after the flood', String(rows));
  await after.end('SIGTERM');
});
