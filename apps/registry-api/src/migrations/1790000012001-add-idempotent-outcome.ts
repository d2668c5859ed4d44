import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What an Idempotency-Key did besides registering a Client. */
export class AddIdempotentOutcome1790000012001 implements MigrationInterface {
  readonly name = 'AddIdempotentOutcome1790000012001';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE idempotency_key ADD COLUMN outcome jsonb, ALTER COLUMN client_id DROP NOT NULL;
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DELETE FROM idempotency_key WHERE client_id IS NULL;
      ALTER TABLE idempotency_key DROP COLUMN outcome, ALTER COLUMN client_id SET NOT NULL;
    `);
  }
}
