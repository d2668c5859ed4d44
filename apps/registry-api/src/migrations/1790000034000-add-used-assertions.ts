import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Client assertions that were accepted, so that each is accepted once (RFC 7523 section 3). */
export class AddUsedAssertions1790000034000 implements MigrationInterface {
  readonly name = 'AddUsedAssertions1790000034000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE used_assertion (
        client_id  text COLLATE "C" NOT NULL,
        jti_hash   bytea            NOT NULL,
        expires_at timestamptz(3)   NOT NULL,
        PRIMARY KEY (client_id, jti_hash)
      );
      CREATE INDEX used_assertion_by_expiry ON used_assertion (expires_at);
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE used_assertion');
  }
}
