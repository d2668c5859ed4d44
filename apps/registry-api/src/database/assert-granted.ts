import type { DataSource } from 'typeorm';
import { UnsupportedDatabaseError } from './database-errors.js';

/** Without an entity. */
const OTHER_TABLES = ['standby_beat'];

const SEQUENCES = ['client_change_seq'];

/** In the schema of the migrations: others of `search_path` may have tables with the same names. */
const READ_UNUSABLE = `
  SELECT relname AS name, quote_ident(current_user) AS "role", relnamespace::regnamespace::text AS schema
  FROM pg_class
  WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema()) AND CASE
    WHEN relname = 'migrations' THEN NOT has_table_privilege(oid, 'SELECT')
    WHEN relname = ANY ($1::text[])
      THEN NOT (has_table_privilege(oid, 'SELECT') AND has_table_privilege(oid, 'INSERT')
        AND has_table_privilege(oid, 'UPDATE') AND has_table_privilege(oid, 'DELETE'))
    WHEN relname = ANY ($2::text[])
      THEN NOT (has_sequence_privilege(oid, 'USAGE') AND has_sequence_privilege(oid, 'SELECT'))
  END
  ORDER BY relname COLLATE "C"`;

/**
 * A role that does not own the tables needs grants for each; those of a new migration's tables may be missing.
 *
 * @throws {UnsupportedDatabaseError} that names the tables and sequences that the role may not use, and the grants
 */
export async function assertGranted(dataSource: DataSource): Promise<void> {
  const tables = [...dataSource.entityMetadatas.map(({ tableName }) => tableName), ...OTHER_TABLES];
  const unusable = await dataSource.query<{ name: string; role: string; schema: string }[]>(READ_UNUSABLE, [
    tables,
    SEQUENCES,
  ]);
  if (unusable.length === 0) return;
  const { role, schema } = unusable[0]!;
  const names = unusable.map(({ name }) => name).join(', ');
  throw new UnsupportedDatabaseError(
    `the role ${role} lacks rights to ${names}; run as the owner of the tables: ` +
      `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${role}; ` +
      `GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA ${schema} TO ${role}`,
  );
}
