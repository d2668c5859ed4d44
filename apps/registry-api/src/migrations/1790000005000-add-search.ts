import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Bytes of recent rows that each search scans before they are merged into the index (PostgreSQL 18, 65.4.4.1). */
const PENDING_LIST_KILOBYTES = 512;

/**
 * What lists, searches and statistics read. A trigger derives three columns from the rest of a Client's row:
 *
 * - `name_key`: the name in lower case, which lists sort by.
 * - `search_text`: name, client_id and URIs in lower case, one per line.
 * - `facet`: a number for the Client's combination of values of all filterable fields. A filter on such values is a set
 *   of these numbers, and each index that starts with `facet` returns their Clients in one sort order.
 */
export class AddSearch1790000005000 implements MigrationInterface {
  readonly name = 'AddSearch1790000005000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE EXTENSION IF NOT EXISTS pg_trgm;

      CREATE FUNCTION client_fold(value text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
        RETURN lower(value COLLATE ${await unicodeCollation(queryRunner)}) COLLATE "C";

      CREATE FUNCTION client_listed() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        m CONSTANT jsonb := NEW.metadata;
      BEGIN
        NEW.name_key := client_fold(m->>'client_name');
        NEW.search_text := client_fold(concat_ws(
          E'\\n', '', m->>'client_name', NEW.client_id, m->>'client_uri', m->>'cookie_webhook_uri',
          m->>'cookie_entry_uri', m->>'authorize_uri', m->>'login_uri',
          (SELECT string_agg(uri, E'\\n') FROM jsonb_array_elements_text(m->'redirect_uris') AS uri)));
        NEW.facet := hashtextextended(jsonb_build_array(
          NEW.enabled, NEW.warnings, m->'application_type', m->'response_types', m->'grant_types',
          m->'token_endpoint_auth_method', m->'code_challenge_method', m->'redirect_uri_validation_method',
          m->'authorize_anonymous_users')::text, 0);
        RETURN NEW;
      END $$;

      ALTER TABLE client
        ADD COLUMN name_key text COLLATE "C",
        ADD COLUMN search_text text COLLATE "C",
        ADD COLUMN facet bigint;
      CREATE TRIGGER client_listed BEFORE INSERT OR UPDATE OF metadata, enabled, warnings ON client
        FOR EACH ROW EXECUTE FUNCTION client_listed();
      UPDATE client SET enabled = enabled;
      ALTER TABLE client
        ALTER COLUMN name_key SET NOT NULL,
        ALTER COLUMN search_text SET NOT NULL,
        ALTER COLUMN search_text SET STATISTICS 1000,
        ALTER COLUMN facet SET NOT NULL;

      CREATE INDEX client_by_update ON client (updated_at, client_id);
      CREATE INDEX client_by_name ON client (name_key, client_id);
      CREATE INDEX client_facet_by_age ON client (facet, created_at, client_id);
      CREATE INDEX client_facet_by_update ON client (facet, updated_at, client_id);
      CREATE INDEX client_facet_by_name ON client (facet, name_key, client_id);
      CREATE INDEX client_facet_by_id ON client (facet, client_id);
      CREATE INDEX client_by_text ON client USING gin (search_text gin_trgm_ops)
        WITH (gin_pending_list_limit = ${PENDING_LIST_KILOBYTES});
    `);
  }

  /** The extension stays: others may use it. */
  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP INDEX client_by_text;
      DROP INDEX client_facet_by_id;
      DROP INDEX client_facet_by_name;
      DROP INDEX client_facet_by_update;
      DROP INDEX client_facet_by_age;
      DROP INDEX client_by_name;
      DROP INDEX client_by_update;
      DROP TRIGGER client_listed ON client;
      ALTER TABLE client DROP COLUMN facet, DROP COLUMN search_text, DROP COLUMN name_key;
      DROP FUNCTION client_listed();
      DROP FUNCTION client_fold(text);
    `);
  }
}

/** One whose lower case is Unicode's whatever the database's locale is (PostgreSQL 17 and later); else the database's. */
async function unicodeCollation(queryRunner: QueryRunner): Promise<string> {
  const found: unknown[] = await queryRunner.query(
    `SELECT FROM pg_collation WHERE collname = 'pg_c_utf8' AND collnamespace = 'pg_catalog'::regnamespace`,
  );
  return found.length > 0 ? 'pg_catalog."pg_c_utf8"' : '"default"';
}
