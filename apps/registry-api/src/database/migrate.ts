import type { PoolClient } from 'pg';
import { type DataSource, MigrationExecutor, type QueryRunner } from 'typeorm';
import { assertSchemaChosen, assertTrigramsVisible } from './assert-search-path.js';
import { lockTables } from './lock-tables.js';
import { RESPONSE_TIMEOUT_MS, setResponseTimeout } from './response-timeout.js';

/** The first 63 bits of the SHA-256 of "svc-registry", so that no other program uses the same lock. */
const MIGRATION_LOCK = '4189933525288476930';

/** Tables that exist in several versions and that migrations alter or refer to, in the order in which writers lock them. */
export const SHARED_TABLES: readonly string[] = [
  'idempotency_key',
  'client',
  'deleted_client',
  'client_secret',
  'client_registration',
  'client_change',
  'api_token',
  'security_event',
];

/**
 * Applies pending migrations, all in one transaction. When several processes start together, one does the work and the
 * others wait: the lock ends with the transaction, so that no pooler can separate it from the work.
 *
 * @returns the names of the migrations that were applied
 */
export async function migrate(dataSource: DataSource): Promise<string[]> {
  return withLock(dataSource, async (queryRunner) => {
    const executor = new MigrationExecutor(dataSource, queryRunner);
    if ((await executor.getPendingMigrations()).length === 0) return [];
    await assertSchemaChosen(queryRunner);
    await assertTrigramsVisible(queryRunner);
    await lockTables(queryRunner, await existing(queryRunner, SHARED_TABLES));
    const applied = await executor.executePendingMigrations();
    return applied.map(({ name }) => name);
  });
}

/** Those in the schema of the migrations: others of `search_path` may have tables with the same names. */
async function existing(queryRunner: QueryRunner, tables: readonly string[]): Promise<string[]> {
  const rows = (await queryRunner.query(
    `SELECT name FROM unnest($1::text[]) WITH ORDINALITY AS t(name, place)
     WHERE to_regclass(format('%I.%I', current_schema(), name)) IS NOT NULL ORDER BY place`,
    [tables],
  )) as { name: string }[];
  return rows.map(({ name }) => name);
}

/** The migrations of a newer version, which has migrated the database. */
export async function unknownMigrations(dataSource: DataSource): Promise<string[]> {
  const known = new Set(ownMigrations(dataSource));
  return (await appliedMigrations(dataSource)).filter((name) => !known.has(name));
}

/** @throws {Error} that names the migrations the database lacks */
export async function assertMigrated(dataSource: DataSource): Promise<void> {
  const applied = new Set(await appliedMigrations(dataSource));
  const missing = ownMigrations(dataSource).filter((name) => !applied.has(name));
  if (missing.length > 0) throw new Error(`the database lacks the migrations ${missing.join(', ')}`);
}

function ownMigrations({ migrations }: DataSource): string[] {
  return migrations.map(({ name }) => String(name));
}

async function appliedMigrations(dataSource: DataSource): Promise<string[]> {
  const rows = await dataSource.query<{ name: string }[]>('SELECT name FROM migrations ORDER BY id');
  return rows.map(({ name }) => name);
}

async function withLock<T>(
  dataSource: DataSource,
  work: (queryRunner: QueryRunner) => Promise<T>,
): Promise<T> {
  const queryRunner = dataSource.createQueryRunner();
  const connection = (await queryRunner.connect()) as PoolClient;
  try {
    // Waiting for the lock and building an index may both take any time.
    setResponseTimeout(connection, 0);
    // Otherwise, reads could use a snapshot taken before the wait for the lock.
    await queryRunner.startTransaction('READ COMMITTED');
    await queryRunner.query('SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0');
    await queryRunner.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    const result = await work(queryRunner);
    await queryRunner.commitTransaction();
    return result;
  } catch (error) {
    // Fails only on a broken connection, which rolls back by itself; the first error is the one to report.
    if (queryRunner.isTransactionActive) await queryRunner.rollbackTransaction().catch(() => undefined);
    throw error;
  } finally {
    setResponseTimeout(connection, RESPONSE_TIMEOUT_MS);
    await queryRunner.release();
  }
}
