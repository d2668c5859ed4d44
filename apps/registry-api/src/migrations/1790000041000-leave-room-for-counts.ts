import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Leaves room for a second version of each row that counts uses, so that even a batch that changes all rows of a page adds
 * nothing to the indexes. Applies to new pages: counts of former days do not change.
 */
export class LeaveRoomForCounts1790000041000 implements MigrationInterface {
  readonly name = 'LeaveRoomForCounts1790000041000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE client_usage SET (fillfactor = 45)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE client_usage SET (fillfactor = 80)');
  }
}
