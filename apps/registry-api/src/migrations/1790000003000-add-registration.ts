import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Clients that developers registered (RFC 7591). */
export class AddRegistration1790000003000 implements MigrationInterface {
  readonly name = 'AddRegistration1790000003000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE client_registration (
        client_id  text COLLATE "C" PRIMARY KEY REFERENCES client (client_id) ON DELETE CASCADE,
        token_hash bytea            NOT NULL
      )
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE client_registration');
  }
}
