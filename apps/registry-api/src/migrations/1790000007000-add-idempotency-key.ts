import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which Client an Idempotency-Key registered. */
export class AddIdempotencyKey1790000007000 implements MigrationInterface {
  readonly name = 'AddIdempotencyKey1790000007000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE idempotency_key (
        actor_id    text COLLATE "C" NOT NULL,
        key         text COLLATE "C" NOT NULL,
        fingerprint bytea            NOT NULL,
        client_id   text COLLATE "C" NOT NULL,
        created_at  timestamptz(3)   NOT NULL,
        PRIMARY KEY (actor_id, key)
      );
      CREATE INDEX idempotency_key_by_age ON idempotency_key (created_at);
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE idempotency_key');
  }
}
