import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Deleted Clients that can be restored. What the former version deletes cannot; it ignores the table. */
export class AddDeletedClients1790000035000 implements MigrationInterface {
  readonly name = 'AddDeletedClients1790000035000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE deleted_client (
        client_id          text COLLATE "C" PRIMARY KEY,
        metadata           jsonb            NOT NULL,
        labels             jsonb            NOT NULL,
        temporary_uris     jsonb,
        cookie_name        text             NOT NULL,
        managed_by         text COLLATE "C",
        registered_by      text,
        registered_by_name text,
        created_at         timestamptz(3)   NOT NULL,
        seq                bigint           NOT NULL,
        mark               text             NOT NULL,
        deleted_at         timestamptz(3)   NOT NULL,
        deleted_by         text             NOT NULL,
        deleted_by_name    text             NOT NULL
      );
      CREATE INDEX deleted_client_by_time ON deleted_client (deleted_at);
      CREATE INDEX deleted_client_by_change ON deleted_client (seq);
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE deleted_client;');
  }
}
