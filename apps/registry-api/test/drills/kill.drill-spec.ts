import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { type PostgresServer, recordFigure, startPostgres } from '@svc/test-servers';
import { type ProcessEnvironment, RegistryProcess } from '../registry-process.js';
import { type Answer, registration } from '../running-registry.js';
import { randomFrom, seedOf } from '../seeded-random.js';

jest.setTimeout(600_000);

/** How often the process is killed; on the embedded database, which takes its time to start, a third as often. */
const KILLS = Number(process.env['DRILL_KILLS'] ?? 3);

/** Registrations under way at once. */
const CALLERS = 8;

let server: PostgresServer;
let dataDir: string;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(async () => server.stop());
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'drill-'));
});
afterEach(async () => rm(dataDir, { recursive: true }));

/** Registers Clients on a process that is killed again and again; a caller without an answer asks again, as callers do. */
class Drill {
  /** Those acknowledged to their callers, by the key of their request. */
  readonly acknowledged = new Map<string, string>();
  /** Keys of Clients that were there when asked for again: registered, though never acknowledged. */
  readonly repeated: string[] = [];
  private readonly pending = new Set<string>();

  constructor(private registry: RegistryProcess) {}

  /** @param count acknowledged registrations after which the process is killed, without waiting for those under way */
  async registerAndKill(count: number): Promise<void> {
    const target = this.acknowledged.size + count;
    let isKilled = false;
    const call = async (): Promise<void> => {
      while (!isKilled) {
        await this.register(randomUUID());
        if (this.acknowledged.size >= target && !isKilled) {
          isKilled = true;
          await this.registry.end('SIGKILL');
        }
      }
    };
    await Promise.all(Array.from({ length: CALLERS }, call));
  }

  async goOn(registry: RegistryProcess): Promise<void> {
    this.registry = registry;
    for (const key of [...this.pending]) await this.register(key);
  }

  private async register(key: string): Promise<void> {
    const headers = { 'idempotency-key': key };
    try {
      const { status, body } = await this.registry.ask('POST', '/client', { body: registration(), headers });
      expect(status).toBe(201);
      const isRepeated = this.pending.delete(key) && body['client_secret'] === undefined;
      if (isRepeated) this.repeated.push(key);
      this.acknowledged.set(key, String(body['client_id']));
    } catch (error) {
      if (!/^TypeError: (fetch failed|terminated)/.test(String(error))) throw error;
      this.pending.add(key);
    }
  }
}

/** All Clients that there are. */
async function kept(registry: RegistryProcess): Promise<string[]> {
  const found: string[] = [];
  for (let path: string | undefined = '/client?limit=500'; path !== undefined;) {
    const { body, headers }: Answer = await registry.ask('GET', path);
    found.push(...(body['clients'] as { client_id: string }[]).map(({ client_id }) => client_id));
    path = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
  }
  return found.sort();
}

/** The client_id of each registration in the feed. */
async function registered(registry: RegistryProcess): Promise<string[]> {
  const found: string[] = [];
  for (let since: unknown = 0; since !== undefined;) {
    const { body } = await registry.ask('GET', `/clients/changes?limit=500&since=${String(since)}`);
    found.push(...(body['changes'] as { client_id: string }[]).map(({ client_id }) => client_id));
    since = body['next'];
  }
  return found.sort();
}

test.each<[string, number, () => Promise<Readonly<Record<string, string>>>]>([
  ['PostgreSQL', KILLS, async () => ({ DATABASE_URL: await server.createDatabase() })],
  ['the embedded database', Math.ceil(KILLS / 3), async () => ({})],
])(
  'on %s kill -9 amid registrations loses none that was acknowledged and doubles none',
  async (name, kills, make) => {
    const random = randomFrom(seedOf('DRILL_SEED'));
    const environment: ProcessEnvironment = {
      ...(await make()),
      DATA_DIR: dataDir,
      BOOTSTRAP_TOKEN: 'drill-'.repeat(8),
    };
    let registry = await RegistryProcess.start(environment);
    const drill = new Drill(registry);
    for (let kill = 0; kill < kills; kill += 1) {
      await drill.registerAndKill(1 + Math.floor(random() * 40));
      registry = await RegistryProcess.start(environment);
      await drill.goOn(registry);
      const clientIds = [...drill.acknowledged.values()].sort();
      expect(await kept(registry)).toEqual(clientIds);
      expect(await registered(registry)).toEqual(clientIds);
    }
    recordFigure(`${name}: kill -9`, `${kills} times`);
    recordFigure(`${name}: registrations acknowledged, lost, doubled`, `${drill.acknowledged.size}, 0, 0`);
    recordFigure(`${name}: registered, though never acknowledged`, String(drill.repeated.length));
    expect(await registry.end('SIGTERM')).toBe(0);
  },
);
