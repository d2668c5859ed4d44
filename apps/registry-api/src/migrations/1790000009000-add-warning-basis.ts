import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the stored warnings of Clients depend on besides their metadata. */
export class AddWarningBasis1790000009000 implements MigrationInterface {
  readonly name = 'AddWarningBasis1790000009000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('CREATE TABLE warning_basis (id smallint PRIMARY KEY, basis text NOT NULL)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE warning_basis');
  }
}
