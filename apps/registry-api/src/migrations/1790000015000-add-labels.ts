import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Bytes of recent rows that each search scans before they are merged into the index (PostgreSQL 18, 65.4.4.1). */
const PENDING_LIST_KILOBYTES = 512;

/** What the trigger maintains, besides the labels. */
const OTHER_COLUMNS = `
        NEW.name_key := client_fold(m->>'client_name');
        NEW.facet := hashtextextended(jsonb_build_array(
          NEW.enabled, NEW.warnings, m->'application_type', m->'response_types', m->'grant_types',
          m->'token_endpoint_auth_method', m->'code_challenge_method', m->'redirect_uri_validation_method',
          m->'authorize_anonymous_users')::text, 0);
        IF NEW.search_text IS NULL THEN
          NEW.search_text := client_search_text(client_search_lines(NEW.client_id, m));
        ELSIF TG_OP = 'UPDATE' AND NEW.search_text = OLD.search_text AND m <> OLD.metadata THEN
          lines := client_search_lines(NEW.client_id, m);
          IF lines IS DISTINCT FROM client_search_lines(OLD.client_id, OLD.metadata) THEN
            NEW.search_text := OLD.search_text || E'\\n' || client_search_text(lines);
          END IF;
        END IF;`;

const listed = (assignments: string) => `
      CREATE OR REPLACE FUNCTION client_listed() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        m CONSTANT jsonb := NEW.metadata;
        lines text;
      BEGIN
        ${assignments}
        RETURN NEW;
      END $$;`;

/**
 * Labels in a column of their own, which the trigger derives from the metadata: testing and indexing them reads nothing
 * else. What manages each Client, and who registered it.
 */
export class AddLabels1790000015000 implements MigrationInterface {
  readonly name = 'AddLabels1790000015000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE client
        ADD COLUMN labels jsonb NOT NULL DEFAULT '{}',
        ADD COLUMN managed_by text COLLATE "C",
        ADD COLUMN registered_by text,
        ADD COLUMN registered_by_name text;
      ALTER TABLE client ALTER COLUMN labels DROP DEFAULT;
      ${listed(`${OTHER_COLUMNS}
        NEW.labels := coalesce(m->'labels', '{}');`)}
      CREATE INDEX client_by_labels ON client USING gin (labels jsonb_path_ops)
        WITH (gin_pending_list_limit = ${PENDING_LIST_KILOBYTES});
      CREATE INDEX client_by_manager ON client (managed_by, client_id);
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP INDEX client_by_manager;
      DROP INDEX client_by_labels;
      ${listed(OTHER_COLUMNS)}
      ALTER TABLE client
        DROP COLUMN registered_by_name, DROP COLUMN registered_by, DROP COLUMN managed_by, DROP COLUMN labels;
    `);
  }
}
