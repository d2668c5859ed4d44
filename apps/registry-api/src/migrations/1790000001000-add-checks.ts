import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What checks record, and an index for the few Clients with cookies. */
export class AddChecks1790000001000 implements MigrationInterface {
  readonly name = 'AddChecks1790000001000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE client_secret ADD COLUMN last_used_at timestamptz(3);
      CREATE INDEX client_with_cookies ON client (client_id)
        WHERE metadata ?| ARRAY['cookie_entry_uri', 'cookie_webhook_uri', 'cookie_domain'];
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP INDEX client_with_cookies;
      ALTER TABLE client_secret DROP COLUMN last_used_at;
    `);
  }
}
