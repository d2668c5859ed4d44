import type { ClientMetadata } from '@svc/client-metadata';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { searchTextOf } from '../clients/search-text.js';

/** Clients per batch. */
const BATCH = 1_000;

/** What the trigger maintains besides the search text, before and after. */
const OTHER_COLUMNS = `
        NEW.name_key := client_fold(m->>'client_name');
        NEW.facet := hashtextextended(jsonb_build_array(
          NEW.enabled, NEW.warnings, m->'application_type', m->'response_types', m->'grant_types',
          m->'token_endpoint_auth_method', m->'code_challenge_method', m->'redirect_uri_validation_method',
          m->'authorize_anonymous_users')::text, 0);`;

const FORMER_LINES = `concat_ws(
          E'\\n', '', m->>'client_name', NEW.client_id, m->>'client_uri', m->>'cookie_webhook_uri',
          m->>'cookie_entry_uri', m->>'authorize_uri', m->>'login_uri',
          (SELECT string_agg(uri, E'\\n') FROM jsonb_array_elements_text(m->'redirect_uris') AS uri))`;

/**
 * The application now writes `search_text`, since databases fold case and accents each in their own way. The trigger
 * creates one by the database's folding for Clients without: from a replica of the previous version, or from a manual
 * statement. Such a text lasts until the Client's next change.
 */
export class SearchWords1790000012002 implements MigrationInterface {
  readonly name = 'SearchWords1790000012002';

  /**
   * The lock allows reads. Without it, Clients that a replica of the previous version writes in the meantime would not be
   * folded.
   */
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      LOCK TABLE client IN SHARE ROW EXCLUSIVE MODE;
      CREATE FUNCTION client_search_lines(client_id text, m jsonb) RETURNS text LANGUAGE sql STABLE AS $$
        SELECT concat_ws(E'\\n', m->>'client_name', client_id, (
          SELECT string_agg(regexp_replace(uri, '^https?://|[?#].*$', '', 'gi'), E'\\n') FROM (
            SELECT jsonb_array_elements_text(m->'redirect_uris') AS uri UNION ALL
            SELECT unnest(ARRAY[m->>'client_uri', m->>'cookie_webhook_uri', m->>'cookie_entry_uri',
                                m->>'authorize_uri', m->>'login_uri'])) AS uris))
      $$;
      CREATE FUNCTION client_search_text(lines text) RETURNS text LANGUAGE sql STABLE AS $$
        SELECT client_fold(lines || E'\\n' || coalesce((
          SELECT string_agg(DISTINCT E'\\t' || left(word, 2), '')
          FROM regexp_split_to_table(lines, '[^[:alnum:]]+') AS word WHERE word <> ''), ''))
      $$;
      CREATE OR REPLACE FUNCTION client_listed() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        m CONSTANT jsonb := NEW.metadata;
        lines text;
      BEGIN
        ${OTHER_COLUMNS}
        IF NEW.search_text IS NULL THEN
          NEW.search_text := client_search_text(client_search_lines(NEW.client_id, m));
        ELSIF TG_OP = 'UPDATE' AND NEW.search_text = OLD.search_text AND m <> OLD.metadata THEN
          lines := client_search_lines(NEW.client_id, m);
          IF lines IS DISTINCT FROM client_search_lines(OLD.client_id, OLD.metadata) THEN
            NEW.search_text := OLD.search_text || E'\\n' || client_search_text(lines);
          END IF;
        END IF;
        RETURN NEW;
      END $$;
    `);
    await fold(queryRunner);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE OR REPLACE FUNCTION client_listed() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        m CONSTANT jsonb := NEW.metadata;
      BEGIN
        ${OTHER_COLUMNS}
        NEW.search_text := client_fold(${FORMER_LINES});
        RETURN NEW;
      END $$;
      DROP FUNCTION client_search_text(text);
      DROP FUNCTION client_search_lines(text, jsonb);
      UPDATE client SET enabled = enabled;
    `);
  }
}

/** Writes the search texts of existing Clients. The index stays, so that others can read in the meantime. */
async function fold(queryRunner: QueryRunner): Promise<void> {
  for (let after: string | undefined = ''; after !== undefined;) {
    const clients = (await queryRunner.query(
      `SELECT client_id, metadata FROM client WHERE client_id > $1 ORDER BY client_id LIMIT ${BATCH}`,
      [after],
    )) as { client_id: string; metadata: ClientMetadata }[];
    const rows = clients.map(({ client_id, metadata }) => {
      return { client_id, search_text: searchTextOf(client_id, metadata) };
    });
    await queryRunner.query(
      `UPDATE client c SET search_text = g.search_text
       FROM jsonb_to_recordset($1::jsonb) AS g(client_id text COLLATE "C", search_text text)
       WHERE c.client_id = g.client_id`,
      [JSON.stringify(rows)],
    );
    after = clients.at(-1)?.client_id;
  }
}
