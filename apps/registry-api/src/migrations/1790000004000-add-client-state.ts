import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether a Client is enabled, and which warnings it carries (null until they are computed). */
export class AddClientState1790000004000 implements MigrationInterface {
  readonly name = 'AddClientState1790000004000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE client ADD COLUMN enabled boolean NOT NULL DEFAULT true;
      ALTER TABLE client ADD COLUMN warnings text[];
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE client DROP COLUMN warnings;
      ALTER TABLE client DROP COLUMN enabled;
    `);
  }
}
