import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger } from '@svc/service-kit';
import { SharedPostgres } from '@svc/test-servers';
import type { DataSource } from 'typeorm';
import { readHorizon } from '../../src/clients/change-statements.js';
import { createRegistryDataSource } from '../../src/registry-database.js';
import { migrate } from '../../src/database/migrate.js';
import { randomFrom, seedOf } from '../seeded-random.js';
import { fixedUrl } from '../fixed-url.js';

/** Transactions of the randomised test. */
const TRANSACTIONS = Number(process.env['CHANGE_ORDER_TRANSACTIONS'] ?? 600);

const WRITERS = 12;

const server = new SharedPostgres();
let dataSource: DataSource;
afterAll(async () => server.dropDatabases());
beforeEach(async () => {
  const address = { source: fixedUrl(await server.createRegistryDatabase()), poolSize: WRITERS + 4 };
  dataSource = await createRegistryDataSource(address, createLogger('test', 'silent')).initialize();
  await migrate(dataSource);
});
afterEach(async () => dataSource.destroy());

const CHANGE = `INSERT INTO client_change (seq, client_id, kind, at, actor_id, actor_name, address)
                VALUES (next_change_seq(), 'a', 'updated', now(), 'a', 'a', 'a') RETURNING seq`;

type Run = <T>(sql: string) => Promise<T>;

const openTransaction = async () => {
  const runner = dataSource.createQueryRunner();
  await runner.startTransaction();
  return {
    change: async () => Number((await (runner.query as Run)<[{ seq: string }]>(CHANGE))[0].seq),
    query: runner.query.bind(runner) as Run,
    commit: async () => runner.commitTransaction().finally(() => void runner.release()),
    rollback: async () => runner.rollbackTransaction().finally(() => void runner.release()),
  };
};
const change = async () => Number((await dataSource.query<[{ seq: string }]>(CHANGE))[0].seq);
const lastSeq = async () => (await readHorizon(dataSource)).last.seq;

test('an empty registry has no last change', async () => {
  expect(await readHorizon(dataSource)).toMatchObject({ last: { seq: 0 }, issued: 0 });
  const first = await openTransaction();
  expect(await first.change()).toBe(1);
  expect(await readHorizon(dataSource)).toMatchObject({ last: { seq: 0 }, issued: 1 });
  await first.commit();
  expect(await readHorizon(dataSource)).toMatchObject({ last: { seq: 1 }, issued: 1 });
});

test('while a transaction holds a number, no reader goes past it; writers do not wait for it', async () => {
  expect(await change()).toBe(1);
  const slow = await openTransaction();
  expect(await slow.change()).toBe(2);
  expect(await change()).toBe(3);
  expect(await slow.change()).toBe(4);
  expect(await lastSeq()).toBe(1);
  await slow.commit();
  expect(await lastSeq()).toBe(4);
});

test('a rollback leaves a gap that no reader waits for', async () => {
  await change();
  const failed = await openTransaction();
  await failed.change();
  await failed.rollback();
  expect(await change()).toBe(3);
  expect(await readHorizon(dataSource)).toMatchObject({ last: { seq: 3 }, issued: 3 });
});

test('a number taken after a return to a savepoint holds readers back like any other', async () => {
  await change();
  const transaction = await openTransaction();
  await transaction.query('SAVEPOINT before');
  await transaction.change();
  await transaction.query('ROLLBACK TO SAVEPOINT before');
  expect(await change()).toBe(3);
  expect(await lastSeq()).toBe(3);
  expect(await transaction.change()).toBe(4);
  expect(await change()).toBe(5);
  expect(await lastSeq()).toBe(3);
  await transaction.commit();
  expect(await lastSeq()).toBe(5);
});

test('a transaction of ten thousand changes takes one lock', async () => {
  const large = await openTransaction();
  await large.query('SELECT next_change_seq() FROM generate_series(1, 10000)');
  const [locks] = await large.query<unknown[]>(
    `SELECT count(*)::int AS count FROM pg_locks
     WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  );
  expect(locks).toEqual({ count: 1 });
  await large.rollback();
});

test('asking from inside a snapshot is rejected: the result would describe another state', async () => {
  const transaction = await openTransaction();
  await transaction.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
  await expect(transaction.query('SELECT * FROM change_horizon()')).rejects.toThrow('before the snapshot');
  await transaction.rollback();
});

test('a transaction in another database delays no reader', async () => {
  const other = await createRegistryDataSource(
    { source: fixedUrl(await server.createRegistryDatabase()), poolSize: 1 },
    createLogger('test', 'silent'),
  ).initialize();
  await migrate(other);
  const runner = other.createQueryRunner();
  await runner.startTransaction();
  await runner.query('SELECT next_change_seq()');
  await change();
  expect(await change()).toBe(2);
  expect(await lastSeq()).toBe(2);
  await runner.rollbackTransaction();
  await runner.release();
  await other.destroy();
});

test('a reader that continues from its last number misses nothing, whatever the order of commits', async () => {
  const seed = seedOf('CHANGE_ORDER_SEED');
  const random = randomFrom(seed);
  const committed: number[] = [];
  let left = TRANSACTIONS;
  const write = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const transaction = await openTransaction();
      const numbers: number[] = [];
      for (let count = 1 + Math.floor(random() * 3); count > 0; count -= 1) {
        numbers.push(await transaction.change());
        if (random() < 0.3) await sleep(random() * 8);
      }
      if (random() < 0.1) await transaction.rollback();
      else {
        await transaction.commit();
        committed.push(...numbers);
      }
    }
  };
  const read: number[] = [];
  const readOnce = async (): Promise<void> => {
    const until = await lastSeq();
    const since = read.at(-1) ?? 0;
    const rows = await dataSource.query<{ seq: string }[]>(
      'SELECT seq FROM client_change WHERE seq > $1 AND seq <= $2 ORDER BY seq',
      [since, until],
    );
    read.push(...rows.map(({ seq }) => Number(seq)));
  };
  let isWriting = true;
  const writing = Promise.all(Array.from({ length: WRITERS }, write)).finally(() => (isWriting = false));
  while (isWriting) await readOnce();
  await writing;
  await readOnce();
  const expected = committed.sort((a, b) => a - b);
  expect({ seed, read }).toEqual({ seed, read: expected });
});
