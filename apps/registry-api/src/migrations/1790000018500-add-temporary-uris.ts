import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Redirect URIs with an end. The former version ignores the column, and keeps it; what it removes from the metadata ends, too. */
export class AddTemporaryUris1790000018500 implements MigrationInterface {
  readonly name = 'AddTemporaryUris1790000018500';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE client ADD COLUMN temporary_uris jsonb;
      CREATE INDEX client_with_temporary_uris ON client (client_id) WHERE temporary_uris IS NOT NULL;
    `);
  }

  /** The former version knows no end of a redirect URI, so those with one must not remain. */
  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      UPDATE client SET metadata = jsonb_set(metadata, '{redirect_uris}', (
        SELECT coalesce(jsonb_agg(uri ORDER BY place), '[]')
        FROM jsonb_array_elements(metadata->'redirect_uris') WITH ORDINALITY AS u(uri, place)
        WHERE NOT temporary_uris @> jsonb_build_array(jsonb_build_object('redirect_uri', uri))
      )) WHERE temporary_uris IS NOT NULL;
      DROP INDEX client_with_temporary_uris;
      ALTER TABLE client DROP COLUMN temporary_uris;
    `);
  }
}
