import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Changes of all Clients that match a filter, carried out in the background, with a result for each. */
export class AddClientJobs1790000040000 implements MigrationInterface {
  readonly name = 'AddClientJobs1790000040000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE client_job (
        id          bigint         GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        action      text           NOT NULL,
        warning     text,
        patch       jsonb,
        filter      jsonb,
        client_ids  text[],
        expected_total integer,
        undoes      bigint,
        dry_run     boolean        NOT NULL,
        state       text           NOT NULL,
        problem     jsonb,
        since       text           NOT NULL,
        found_until text COLLATE "C",
        total       integer        NOT NULL DEFAULT 0,
        changed     integer        NOT NULL DEFAULT 0,
        unchanged   integer        NOT NULL DEFAULT 0,
        failed      integer        NOT NULL DEFAULT 0,
        attempts    integer        NOT NULL DEFAULT 0,
        actor_id    text           NOT NULL,
        actor_name  text           NOT NULL,
        address     text           NOT NULL,
        issuer      text,
        selector    jsonb          NOT NULL,
        created_at  timestamptz(3) NOT NULL,
        worked_at   timestamptz(3) NOT NULL,
        finished_at timestamptz(3)
      );
      CREATE INDEX client_job_open ON client_job (worked_at) WHERE finished_at IS NULL;
      CREATE INDEX client_job_finished ON client_job (finished_at);
      CREATE INDEX client_job_undoing ON client_job (undoes);
      CREATE TABLE client_job_item (
        job_id         bigint           NOT NULL CONSTRAINT client_job_item_job_id_fkey
                                        REFERENCES client_job ON DELETE CASCADE,
        position       integer          NOT NULL,
        client_id      text COLLATE "C" NOT NULL,
        client_name    text,
        revision       text,
        result         text,
        revision_after text,
        problem        jsonb,
        difference     jsonb,
        PRIMARY KEY (job_id, position)
      );
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE client_job_item; DROP TABLE client_job;');
  }
}
