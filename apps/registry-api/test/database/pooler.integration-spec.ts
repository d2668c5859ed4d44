import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger } from '@svc/service-kit';
import {
  eventually,
  type Pgbouncer,
  type PostgresServer,
  startPgbouncer,
  startPostgres,
  startTcpProxy,
} from '@svc/test-servers';
import pg from 'pg';
import { migrate } from '../../src/database/migrate.js';
import { createRegistryDataSource } from '../../src/registry-database.js';
import { fixedUrl } from '../fixed-url.js';
import { DATABASE_START_MS } from '../on-both-databases.js';
import { pathOf, registration, type RunningRegistry, runRegistry } from '../running-registry.js';

const TOKEN = 'bootstrap-token-of-the-tests-of-poolers';

/** Fewer than the registry's own pool has, so that its connections take turns. */
const SERVER_CONNECTIONS = 4;

let server: PostgresServer;
let direct: string;

beforeAll(async () => {
  server = await startPostgres();
}, DATABASE_START_MS);
beforeEach(async () => {
  direct = await server.createRegistryDatabase();
});
afterAll(async () => server.stop());

type Settings = Readonly<Record<string, string | number>>;

const TRANSACTION: Settings = { pool_mode: 'transaction', max_prepared_statements: 100 };

async function throughPooler<T>(settings: Settings, work: (pooler: Pgbouncer) => Promise<T>): Promise<T> {
  const pooler = await startPgbouncer(server.url, settings);
  try {
    return await work(pooler);
  } finally {
    await pooler.stop();
  }
}

async function withRegistry<T>(
  environment: Readonly<Record<string, string>>,
  work: (registry: RunningRegistry) => Promise<T>,
): Promise<T> {
  const registry = await runRegistry({ BOOTSTRAP_TOKEN: TOKEN, ...environment });
  try {
    return await work(registry);
  } finally {
    await registry.close();
  }
}

async function queryOnce<Row extends object>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

const register = async (registry: RunningRegistry) =>
  registry.ask('POST', '/client', { body: registration() });

async function isLinkUp(registry: RunningRegistry): Promise<boolean> {
  const response = await fetch(`${registry.url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
  const [, value] = /^change_notification_link_up(?:\{[^}]*\})? (\d)/m.exec(await response.text()) ?? [];
  return value === '1';
}

/** The log's account of what the start found. */
function foundAtStart(registry: RunningRegistry): Record<string, unknown> {
  const line = registry
    .logged()
    .split('\n')
    .find((one) => one.includes('"connected to PostgreSQL'));
  return JSON.parse(line ?? '{}') as Record<string, unknown>;
}

/** How long a statement may take before PostgreSQL cancels it, in milliseconds. */
async function timeLimit({ dataSource }: RunningRegistry): Promise<number> {
  const [row] = await dataSource.query<{ ms: number }[]>(
    `SELECT extract(epoch FROM current_setting('statement_timeout')::interval)::float * 1000 AS ms`,
  );
  return row!.ms;
}

/** What a session can keep for its next user. */
const SESSION_STATE = `SELECT current_setting('statement_timeout') AS "statementTimeout",
  current_setting('synchronous_commit') AS "synchronousCommit", current_setting('search_path') AS "searchPath",
  (SELECT array_agg(channel) FROM pg_listening_channels() AS channel) AS channels,
  (SELECT count(*)::int FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()) AS locks,
  (SELECT count(*)::int FROM pg_class WHERE relpersistence = 't') AS "temporaryTables",
  (SELECT array_agg(name) FROM pg_prepared_statements WHERE name NOT LIKE 'PGBOUNCER%') AS prepared`;

/** The state of each of a pooler's connections, all of which are held at the same time. */
async function sessionStates(url: string): Promise<unknown[]> {
  const clients = Array.from({ length: SERVER_CONNECTIONS }, () => new pg.Client({ connectionString: url }));
  try {
    for (const client of clients) {
      await client.connect();
      await client.query('BEGIN');
    }
    return await Promise.all(
      clients.map(async (client) => (await client.query<object>(SESSION_STATE)).rows[0]),
    );
  } finally {
    await Promise.all(clients.map(async (client) => client.end()));
  }
}

const FRESH_SESSION = {
  ...{ statementTimeout: '0', synchronousCommit: 'on', searchPath: '"$user", public' },
  ...{ channels: null, locks: 0, temporaryTables: 0, prepared: null },
};

describe('PgBouncer in transaction mode', () => {
  const settings = { ...TRANSACTION, default_pool_size: SERVER_CONNECTIONS };

  test('everything works, and no session keeps state', async () => {
    await throughPooler(settings, async (pooler) => {
      const url = pooler.through(direct);
      await withRegistry({ DATABASE_URL: url }, async (registry) => {
        const answers = await Promise.all(Array.from({ length: 40 }, async () => register(registry)));
        expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
        const paths = answers.map(({ body }) => pathOf(body['client_id']));
        const reads = await Promise.all(
          [...paths, '/client?q=shop', '/clients/changes'].map(async (path) => registry.ask('GET', path)),
        );
        expect(new Set(reads.map(({ status }) => status))).toEqual(new Set([200]));
        expect(await sessionStates(url)).toEqual(Array(SERVER_CONNECTIONS).fill(FRESH_SESSION));
      });
    });
  });

  test('statements are limited in each transaction, unless the role limits them', async () => {
    await throughPooler(settings, async (pooler) => {
      const url = pooler.through(direct);
      await withRegistry({ DATABASE_URL: url }, async (registry) => {
        expect(await timeLimit(registry)).toBe(5_000);
        expect(foundAtStart(registry)).toMatchObject({
          ...{ pooling: 'transaction', timeLimit: 'transaction', listen: 'unavailable' },
        });
      });
    });
    await queryOnce(direct, `ALTER ROLE postgres SET statement_timeout = '4s'`);
    try {
      await throughPooler(settings, async (pooler) => {
        await withRegistry({ DATABASE_URL: pooler.through(direct) }, async (registry) => {
          expect(await timeLimit(registry)).toBe(4_000);
          expect(foundAtStart(registry)).toMatchObject({ pooling: 'transaction', timeLimit: 'server' });
        });
      });
    } finally {
      await queryOnce(direct, 'ALTER ROLE postgres RESET statement_timeout');
    }
  });

  test('the notification link is down, or up through DATABASE_LISTEN_URL', async () => {
    await throughPooler(settings, async (pooler) => {
      const url = pooler.through(direct);
      await withRegistry({ DATABASE_URL: url }, async (registry) => {
        await register(registry);
        expect(await isLinkUp(registry)).toBe(false);
      });
      await withRegistry({ DATABASE_URL: url, DATABASE_LISTEN_URL: direct }, async (registry) => {
        expect(foundAtStart(registry)).toMatchObject({
          pooling: 'transaction',
          listen: 'DATABASE_LISTEN_URL',
        });
        await eventually(async () => expect(await isLinkUp(registry)).toBe(true));
      });
      const elsewhere = await server.createDatabase();
      await withRegistry({ DATABASE_URL: url, DATABASE_LISTEN_URL: elsewhere }, async (registry) => {
        expect(await isLinkUp(registry)).toBe(false);
        expect(foundAtStart(registry)).toMatchObject({ listen: 'unavailable' });
      });
    });
  });

  test('a read that waits for a lock is cancelled in time', async () => {
    await throughPooler(settings, async (pooler) => {
      await withRegistry({ DATABASE_URL: pooler.through(direct) }, async (registry) => {
        const path = pathOf((await register(registry)).body['client_id']);
        const unknown = '/token/0123456789abcdef';
        const holder = new pg.Client({ connectionString: direct });
        await holder.connect();
        await holder.query('BEGIN; LOCK TABLE client, api_token');
        const start = performance.now();
        // Neither the cached token nor the one of the path is read before.
        const statuses = await Promise.all(
          [path, unknown].map(async (one) => (await registry.ask('GET', one)).status),
        );
        expect(statuses).toEqual([503, 503]);
        expect(performance.now() - start).toBeLessThan(12_000);
        await holder.end();
        // On every connection: PgBouncer ends those that prepare a statement again whose name it takes for used.
        const later = await Promise.all(Array.from({ length: 20 }, async () => registry.ask('GET', unknown)));
        expect(new Set(later.map(({ status }) => status))).toEqual(new Set([404]));
        expect((await registry.ask('GET', path)).status).toBe(200);
      });
    });
  });

  test('a link whose notifications no longer arrive, although it stands, is down', async () => {
    const wire = await startTcpProxy(new URL(direct).host);
    const listenUrl = direct.replace(new URL(direct).host, wire.address);
    await withRegistry({ DATABASE_URL: direct, DATABASE_LISTEN_URL: listenUrl }, async (registry) => {
      await eventually(async () => expect(await isLinkUp(registry)).toBe(true));
      wire.stall();
      // It is verified every 15 seconds.
      await sleep(10_000);
      await eventually(async () => expect(await isLinkUp(registry)).toBe(false));
      wire.resume();
      await eventually(async () => expect(await isLinkUp(registry)).toBe(true));
    });
    await wire.stop();
  });

  test('processes that start together migrate an empty database once', async () => {
    await throughPooler(settings, async (pooler) => {
      const empty = await server.createDatabase();
      const address = { source: fixedUrl(pooler.through(empty)), poolSize: 2 };
      const applied = await Promise.all(
        Array.from({ length: 3 }, async () => {
          const dataSource = createRegistryDataSource(address, createLogger('test', 'silent'));
          await dataSource.initialize();
          const names = await migrate(dataSource);
          await dataSource.destroy();
          return names.length;
        }),
      );
      expect(applied.sort((a, b) => a - b)).toEqual([0, 0, expect.any(Number)]);
      expect(applied[2]).toBeGreaterThan(0);
      expect(await sessionStates(pooler.through(empty))).toEqual(
        Array(SERVER_CONNECTIONS).fill(FRESH_SESSION),
      );
    });
  });

  test.each([
    [{ max_prepared_statements: 0 }, 'max_prepared_statements'],
    [{ pool_mode: 'statement' }, 'pool_mode'],
  ])('%p: the start is refused with the remedy', async (unsupported, remedy) => {
    await throughPooler({ ...settings, ...unsupported }, async (pooler) => {
      await expect(runRegistry({ DATABASE_URL: pooler.through(direct) })).rejects.toThrow(remedy);
    });
  });
});

describe('PgBouncer in session mode', () => {
  test.each([
    ['refuses start-up parameters', {}],
    ['ignores start-up parameters', { ignore_startup_parameters: 'statement_timeout' }],
  ])('that %s: statements are limited all the same', async (_case, parameters) => {
    const settings = { pool_mode: 'session', default_pool_size: 40, ...parameters };
    await throughPooler(settings, async (pooler) => {
      await withRegistry({ DATABASE_URL: pooler.through(direct) }, async (registry) => {
        expect((await register(registry)).status).toBe(201);
        const limits = await Promise.all(Array.from({ length: 10 }, async () => timeLimit(registry)));
        expect(limits).toEqual(Array(10).fill(5_000));
        await eventually(async () => expect(await isLinkUp(registry)).toBe(true));
        expect(foundAtStart(registry)).toMatchObject({
          ...{ pooling: 'session', timeLimit: 'session', listen: 'DATABASE_URL' },
        });
      });
    });
  });
});

describe('without a pooler', () => {
  test('the start says what it found', async () => {
    await withRegistry({ DATABASE_URL: direct }, async (registry) => {
      expect(foundAtStart(registry)).toMatchObject({
        ...{ pooling: 'none', timeLimit: 'start-up parameter', listen: 'DATABASE_URL' },
      });
    });
  });
});
