import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Which deleted Clients await approval, so that they still do when they are restored, and since when Clients await it again.
 * What the former version deletes does not await it when it is restored, and what the former version restores or disables does
 * not either.
 */
export class KeepPending1790000042000 implements MigrationInterface {
  readonly name = 'KeepPending1790000042000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE client ADD COLUMN pending_since timestamptz(3);
      ALTER TABLE deleted_client ADD COLUMN pending boolean NOT NULL DEFAULT false;
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE deleted_client DROP COLUMN pending;
      ALTER TABLE client DROP COLUMN pending_since;
    `);
  }
}
