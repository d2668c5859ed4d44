import type { MigrationInterface, QueryRunner } from 'typeorm';

/** For lists of Clients by their secrets: indexes of expiring and of unused secrets. */
export class AddSecretSearch1790000010000 implements MigrationInterface {
  readonly name = 'AddSecretSearch1790000010000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE INDEX client_secret_ending ON client_secret (expires_at, client_id) WHERE expires_at IS NOT NULL;
      CREATE INDEX client_secret_unused ON client_secret (client_id) WHERE last_used_at IS NULL;
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX client_secret_unused; DROP INDEX client_secret_ending;');
  }
}
