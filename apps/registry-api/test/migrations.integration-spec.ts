import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@svc/service-kit';
import { placeEmbeddedDatabase, SharedPostgres } from '@svc/test-servers';
import type { DataSource, QueryRunner } from 'typeorm';
import type { DatabaseAddress } from '../src/database/data-source.js';
import { createRegistryDataSource } from '../src/registry-database.js';
import { startEmbeddedDatabase } from '../src/database/embedded-database.js';
import { assertMigrated, migrate, SHARED_TABLES } from '../src/database/migrate.js';
import { DATABASE_START_MS } from './on-both-databases.js';
import { fixedUrl } from './fixed-url.js';

const server = new SharedPostgres();
afterAll(async () => server.dropDatabases());

const logger = createLogger('test', 'silent');
const connect = async (address: DatabaseAddress): Promise<DataSource> =>
  createRegistryDataSource(address, logger).initialize();

const onServer = async (): Promise<DatabaseAddress> => ({
  source: fixedUrl(await server.createDatabase()),
  poolSize: 4,
});

/** What the public schema holds, besides TypeORM's own table and what belongs to extensions: names, kinds, definitions. */
const objectsOf = async (dataSource: DataSource): Promise<unknown[]> =>
  dataSource.query(`
    SELECT relname AS name, relkind::text AS kind, pg_get_indexdef(oid) AS definition
    FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relname !~ 'migrations|^PK_'
    UNION ALL
    SELECT p.oid::regprocedure::text, 'function', pg_get_functiondef(p.oid)
    FROM pg_proc p WHERE pronamespace = 'public'::regnamespace AND prokind = 'f'
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
    UNION ALL
    SELECT conname, 'constraint', pg_get_constraintdef(oid)
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND conname !~ 'migrations|^PK_'
    ORDER BY name, kind`);

async function expectUp(dataSource: DataSource): Promise<void> {
  await expect(assertMigrated(dataSource)).rejects.toThrow();
  expect(await migrate(dataSource)).toEqual(dataSource.migrations.map(({ name }) => name));
}

/** @param dataSource of a migrated database */
async function expectDownAndUp(dataSource: DataSource): Promise<void> {
  const names = dataSource.migrations.map(({ name }) => name);
  await assertMigrated(dataSource);
  const made = await objectsOf(dataSource);
  expect(made).toContainEqual(expect.objectContaining({ name: 'next_change_seq()', kind: 'function' }));
  const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
  expect(upQueries.map(({ query }) => query)).toEqual([]);

  for (let left = names.length; left > 0; left -= 1) await dataSource.undoLastMigration();
  expect(await objectsOf(dataSource)).toEqual([]);
  await expect(assertMigrated(dataSource)).rejects.toThrow('the database lacks the migrations');
  expect(await migrate(dataSource)).toEqual(names);
  expect(await objectsOf(dataSource)).toEqual(made);
  expect(await migrate(dataSource)).toEqual([]);
}

test('on PostgreSQL the migrations go up, down and up, and agree with the entities', async () => {
  const dataSource = await connect(await onServer());
  await expectUp(dataSource);
  await expectDownAndUp(dataSource);
  await dataSource.destroy();
});

test(
  'on the embedded database, which `migrate` made, they go down and up, and agree with the entities',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'migrations-'));
    await placeEmbeddedDatabase(folder);
    const embedded = await startEmbeddedDatabase(folder);
    const dataSource = await connect({ embedded: embedded.host });
    await expectDownAndUp(dataSource);
    await dataSource.destroy();
    await embedded.close();
    await rm(folder, { recursive: true });
  },
  DATABASE_START_MS,
);

test('each migration locks only tables that were locked before the first one, or that are new', async () => {
  const dataSource = await connect(await onServer());
  const locked = new Set<string>();
  for (const migration of [...dataSource.migrations]) {
    const queryRunner = dataSource.createQueryRunner();
    const before = new Set(await tableNames(queryRunner));
    await queryRunner.startTransaction();
    await migration.up(queryRunner);
    const names = await tableNames(queryRunner, LOCKED_AGAINST_WRITES);
    names.filter((name) => before.has(name)).forEach((name) => locked.add(name));
    await queryRunner.commitTransaction();
    await queryRunner.release();
  }
  expect([...locked].filter((name) => !SHARED_TABLES.includes(name))).toEqual([]);
  expect(locked.has('client')).toBe(true);
  await dataSource.destroy();
});

/** By this session, in a mode that conflicts with ROW EXCLUSIVE, which every write takes. */
const LOCKED_AGAINST_WRITES = `AND oid IN (
  SELECT relation FROM pg_locks
  WHERE pid = pg_backend_pid() AND granted AND mode IN (
    'ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock'
  ))`;

async function tableNames(queryRunner: QueryRunner, condition = ''): Promise<string[]> {
  const rows = (await queryRunner.query(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ${condition}`,
  )) as { name: string }[];
  return rows.map(({ name }) => name);
}

test('of several replicas that start at once, one migrates and the others wait for it', async () => {
  const address = await onServer();
  const replicas = await Promise.all(Array.from({ length: 5 }, () => connect(address)));
  const applied = await Promise.all(replicas.map(migrate));
  expect(applied.filter((names) => names.length > 0)).toHaveLength(1);
  await Promise.all(replicas.map(assertMigrated));
  await Promise.all(replicas.map((replica) => replica.destroy()));
});

test('a failed migration leaves nothing behind and releases the lock', async () => {
  const address = await onServer();
  const dataSource = await connect(address);
  await dataSource.query('CREATE TABLE api_token (in_the_way int)');
  await expect(migrate(dataSource)).rejects.toThrow('already exists');
  expect(await objectsOf(dataSource)).toMatchObject([{ name: 'api_token', kind: 'r' }]);
  await dataSource.query('DROP TABLE api_token');
  const other = await connect(address);
  expect(await migrate(other)).not.toEqual([]);
  await Promise.all([dataSource.destroy(), other.destroy()]);
});
