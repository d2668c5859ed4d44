import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Each process that reads from standbys writes its row here several times a second; standbys that have it are as young. */
export class AddStandbyBeats1790000014000 implements MigrationInterface {
  readonly name = 'AddStandbyBeats1790000014000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE standby_beat (
        process uuid        PRIMARY KEY,
        beat    bigint      NOT NULL,
        at      timestamptz NOT NULL
      ) WITH (fillfactor = 50);
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE standby_beat');
  }
}
