/* What migrations, which name no schema, need of `search_path`. */
import type { QueryRunner } from 'typeorm';
import { UnsupportedDatabaseError } from './database-errors.js';

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
 * A schema that has the name of the role comes first by default. If it is created after the registry's tables, a second, empty
 * registry would replace the first one.
 *
 * @throws {UnsupportedDatabaseError} with the remedy
 */
export async function assertSchemaChosen(queryRunner: QueryRunner): Promise<void> {
  const [other] = (await queryRunner.query(READ_OTHER_REGISTRY)) as { schema: string; chosen: string }[];
  if (!other) return;
  throw new UnsupportedDatabaseError(
    `the registry's tables are in the schema ${other.schema}, but search_path begins with ${other.chosen}, which has none of ` +
      `them; set search_path in the options of DATABASE_URL: to ${other.schema}, or to ${other.chosen} for a new registry`,
  );
}

/**
 * Migrations create indexes with the extension's operators, whose schema they do not name.
 *
 * @throws {UnsupportedDatabaseError} with the remedy
 */
export async function assertTrigramsVisible(queryRunner: QueryRunner): Promise<void> {
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
