import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which user of an issuer created an API token, when a token was revoked, and how to find its descendants. */
export class AddTokenLineage1790000011001 implements MigrationInterface {
  readonly name = 'AddTokenLineage1790000011001';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE api_token ADD COLUMN issuer text, ADD COLUMN subject text, ADD COLUMN revoked_at timestamptz(3);
      CREATE INDEX api_token_by_maker ON api_token (created_by);
    `);
  }

  /** The previous version deletes revoked tokens instead of marking them. */
  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DELETE FROM api_token WHERE revoked_at IS NOT NULL;
      DROP INDEX api_token_by_maker;
      ALTER TABLE api_token DROP COLUMN revoked_at, DROP COLUMN subject, DROP COLUMN issuer;
    `);
  }
}
