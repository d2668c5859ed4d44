import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds security events by their time: without it, finding those of one hour reads all. */
export class IndexEventTimes1790000036000 implements MigrationInterface {
  readonly name = 'IndexEventTimes1790000036000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('CREATE INDEX security_event_by_time ON security_event (at)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX security_event_by_time');
  }
}
