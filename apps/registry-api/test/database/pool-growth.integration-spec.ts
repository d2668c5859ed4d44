import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { SharedPostgres, startTcpProxy } from '@svc/test-servers';
import pg from 'pg';
import { PoolGrowth } from '../../src/database/pool-growth.js';
import { DATABASE_START_MS } from '../on-both-databases.js';
import { pathOf, registration, runRegistry } from '../running-registry.js';

const server = new SharedPostgres();
afterAll(async () => server.dropDatabases());

/** A server that takes connections and never answers. */
async function startSilentServer() {
  const silent = createServer((socket) => socket.on('error', () => undefined).resume());
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${(silent.address() as AddressInfo).port}`,
    stop: async () => new Promise((resolve) => silent.close(resolve)),
  };
}

test(
  'requests go on with the connections that there are while another one is being opened',
  async () => {
    const direct = new URL(await server.createRegistryDatabase());
    const proxied = new URL(direct);
    const [proxy, silent] = await Promise.all([startTcpProxy(direct.host), startSilentServer()]);
    proxied.host = proxy.address;
    const registry = await runRegistry({ DATABASE_URL: proxied.href });
    try {
      const { body } = await registry.ask('POST', '/client', { body: registration() });
      proxy.retarget(silent.address);
      const statuses = await Promise.all(
        Array.from({ length: 40 }, async (_, index) => {
          const { status } =
            index % 4 === 0
              ? await registry.ask('POST', '/client', { body: registration() })
              : await registry.ask('GET', pathOf(body['client_id']));
          return status;
        }),
      );
      expect(new Set(statuses)).toEqual(new Set([200, 201]));
    } finally {
      proxy.retarget(direct.host);
      proxy.cut();
      await registry.close();
      await Promise.all([proxy.stop(), silent.stop()]);
    }
  },
  DATABASE_START_MS,
);

test('under load a pool grows to its size, and all requests are served', async () => {
  const pool = new pg.Pool({ connectionString: await server.createRegistryDatabase(), max: 4 });
  const growth = new PoolGrowth(pool, async () => pool.connect());
  const seen = new Set<unknown>();
  try {
    const work = async () => {
      const connection = await growth.connect();
      const { rows } = await connection.query<{ pid: number }>(
        'SELECT pg_backend_pid() AS pid, pg_sleep(0.01)',
      );
      seen.add(rows[0]?.pid);
      connection.release();
    };
    for (let round = 0; round < 5; round += 1) await Promise.all(Array.from({ length: 100 }, work));
    expect(seen.size).toBe(4);
  } finally {
    await pool.end();
  }
});

test('a request waits for a connection only once, also if one is opened meanwhile that another one takes', async () => {
  const timeoutMs = 2_000;
  const pool = new pg.Pool({
    connectionString: await server.createRegistryDatabase(),
    max: 2,
    connectionTimeoutMillis: timeoutMs,
  });
  let opening: Promise<unknown> = Promise.resolve();
  const growth = new PoolGrowth(pool, async () => {
    await opening;
    return pool.connect();
  });
  const taken = [await growth.connect()];
  opening = sleep(0.75 * timeoutMs);
  const failedAfterMs: number[] = [];
  const take = async () => {
    const began = performance.now();
    try {
      taken.push(await growth.connect());
    } catch {
      failedAfterMs.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: 3 }, take));
  for (const connection of taken) connection.release();
  await pool.end();
  expect(taken).toHaveLength(2);
  expect(failedAfterMs).toHaveLength(2);
  expect(Math.max(...failedAfterMs)).toBeLessThan(1.5 * timeoutMs);
});

test('those that wait for the only connection learn why it could not be opened', async () => {
  const pool = new pg.Pool({ host: '127.0.0.1', port: 1, max: 1, connectionTimeoutMillis: 60_000 });
  const growth = new PoolGrowth(pool, async () => pool.connect());
  const results = await Promise.allSettled(Array.from({ length: 3 }, async () => growth.connect()));
  for (const result of results)
    expect(result).toMatchObject({ status: 'rejected', reason: { code: 'ECONNREFUSED' } });
  await pool.end();
});
