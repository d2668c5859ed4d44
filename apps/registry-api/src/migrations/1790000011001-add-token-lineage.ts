import type { MigrationInterface, QueryRunner } from 'typeorm';

/** For which person an issuer vouched who made an API token, when a token was revoked, and what finds its descendants. */
export class AddTokenLineage1790000011001 implements MigrationInterface {
  readonly name = 'AddTokenLineage1790000011001';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE api_token ADD COLUMN issuer text, ADD COLUMN subject text, ADD COLUMN revoked_at timestamptz(3);
      CREATE INDEX api_token_by_maker ON api_token (created_by);
    `);
  }

  /** The former version knows no revoked tokens: it deletes what is revoked. */
  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DELETE FROM api_token WHERE revoked_at IS NOT NULL;
      DROP INDEX api_token_by_maker;
      ALTER TABLE api_token DROP COLUMN revoked_at, DROP COLUMN subject, DROP COLUMN issuer;
    `);
  }
}
