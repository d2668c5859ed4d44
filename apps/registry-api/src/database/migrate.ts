import type { PoolClient } from 'pg';
import { type DataSource, MigrationExecutor, type QueryRunner } from 'typeorm';
import { UnsupportedDatabaseError } from './database-errors.js';
import { lockTables } from './lock-tables.js';
import { RESPONSE_TIMEOUT_MS, setResponseTimeout } from './response-timeout.js';

/** The first 63 bits of the SHA-256 of "svc-registry", so that no other program uses the same lock. */
const MIGRATION_LOCK = '4189933525288476930';

/** Tables that exist in several versions and that migrations alter or refer to, in the order in which writers lock them. */
export const SHARED_TABLES: readonly string[] = [
  'idempotency_key',
  'client',
  'client_secret',
  'client_registration',
  'client_change',
  'api_token',
  'security_event',
];

const READ_OTHER_REGISTRY = `
  SELECT relnamespace::regnamespace::text AS schema, quote_ident(current_schema()) AS chosen
  FROM pg_class
  WHERE oid = to_regclass('client_change_seq')
    AND relnamespace::regnamespace::text <> quote_ident(current_schema())
    AND current_schema() = current_user AND current_setting('search_path') LIKE '%$user%'`;

const READ_HIDDEN_TRIGRAMS = `
  SELECT nspname AS schema,
    has_schema_privilege(n.oid, 'USAGE') AS "isUsable",
    source = 'client' AS "isSetByUrl",
    format('GRANT USAGE ON SCHEMA %I TO %I', nspname, current_user) AS grant,
    format('ALTER ROLE %I IN DATABASE %I SET search_path = %s, %I', current_user, current_database(), setting, nspname) AS setting
  FROM pg_extension JOIN pg_namespace n ON n.oid = extnamespace JOIN pg_settings ON name = 'search_path'
  WHERE extname = 'pg_trgm' AND NOT EXISTS (SELECT FROM pg_opclass WHERE opcname = 'gin_trgm_ops' AND pg_opclass_is_visible(oid))`;

interface HiddenTrigrams {
  readonly schema: string;
  readonly isUsable: boolean;
  /** Then, settings of the role have no effect. */
  readonly isSetByUrl: boolean;
  readonly grant: string;
  readonly setting: string;
}

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

/** Migrations create indexes with the extension's operators, whose schema they do not name. */
async function assertTrigramsVisible(queryRunner: QueryRunner): Promise<void> {
  const [hidden] = (await queryRunner.query(READ_HIDDEN_TRIGRAMS)) as HiddenTrigrams[];
  if (!hidden) return;
  const { schema, isUsable, isSetByUrl, grant, setting } = hidden;
  const remedy = isSetByUrl ? 'add it in the options of DATABASE_URL' : `run: ${setting}`;
  throw new UnsupportedDatabaseError(
    `the extension pg_trgm is in the schema ${schema}, ` +
      (isUsable
        ? `which is not in search_path; ${remedy}`
        : `which the role may not use; run as the owner of the schema: ${grant}`),
  );
}

/**
 * A schema that has the name of the role comes first by default. If it is created after the registry's tables, a second, empty
 * registry would replace the first one.
 */
async function assertSchemaChosen(queryRunner: QueryRunner): Promise<void> {
  const [other] = (await queryRunner.query(READ_OTHER_REGISTRY)) as { schema: string; chosen: string }[];
  if (!other) return;
  throw new UnsupportedDatabaseError(
    `the registry's tables are in the schema ${other.schema}, but search_path begins with ${other.chosen}, which has none of ` +
      `them; set search_path in the options of DATABASE_URL: to ${other.schema}, or to ${other.chosen} for a new registry`,
  );
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
