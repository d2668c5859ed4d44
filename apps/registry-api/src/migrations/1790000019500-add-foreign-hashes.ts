import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Client secrets that imports bring along, as hashes of other products until a check replaces them. */
export class AddForeignHashes1790000019500 implements MigrationInterface {
  readonly name = 'AddForeignHashes1790000019500';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE client_secret ADD COLUMN imported boolean NOT NULL DEFAULT false,
         ADD COLUMN foreign_hash text,
         ADD COLUMN foreign_scheme text, ADD COLUMN foreign_until timestamptz(3)`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE client_secret DROP COLUMN imported, DROP COLUMN foreign_hash, DROP COLUMN foreign_scheme, DROP COLUMN foreign_until',
    );
  }
}
