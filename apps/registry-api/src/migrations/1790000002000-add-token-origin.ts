import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who made an API token. */
export class AddTokenOrigin1790000002000 implements MigrationInterface {
  readonly name = 'AddTokenOrigin1790000002000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE api_token ADD COLUMN created_by text');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE api_token DROP COLUMN created_by');
  }
}
