import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which deleted Clients await approval, so that they still do when they are restored. What the former version deletes does not. */
export class KeepPending1790000042000 implements MigrationInterface {
  readonly name = 'KeepPending1790000042000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE deleted_client ADD COLUMN pending boolean NOT NULL DEFAULT false');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE deleted_client DROP COLUMN pending');
  }
}
