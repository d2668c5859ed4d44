import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When registration access tokens expire, and those that were issued since the one in use. */
export class AddRegistrationSuccessors1790000019100 implements MigrationInterface {
  readonly name = 'AddRegistrationSuccessors1790000019100';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE client_registration ADD COLUMN expires_at timestamptz(3);
      CREATE TABLE client_registration_successor (
        token_hash bytea            PRIMARY KEY,
        client_id  text COLLATE "C" NOT NULL REFERENCES client_registration ON DELETE CASCADE,
        number     bigint           NOT NULL GENERATED ALWAYS AS IDENTITY,
        expires_at timestamptz(3)
      );
      CREATE INDEX client_registration_successor_by_client ON client_registration_successor (client_id);
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'DROP TABLE client_registration_successor; ALTER TABLE client_registration DROP COLUMN expires_at;',
    );
  }
}
