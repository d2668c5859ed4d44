import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which expiring secrets the change feed has announced. */
export class AddSecretNotices1790000019000 implements MigrationInterface {
  readonly name = 'AddSecretNotices1790000019000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE client_secret ADD COLUMN announced_at timestamptz(3)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE client_secret DROP COLUMN announced_at');
  }
}
