import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How Clients are used: counts by Client and day, who counts, and which days lack counts. Only new tables, which the former
 * version ignores.
 */
export class AddUsage1790000018000 implements MigrationInterface {
  readonly name = 'AddUsage1790000018000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE client_usage (
        client_id text COLLATE "C" NOT NULL,
        period    text COLLATE "C" NOT NULL,
        key       bytea            NOT NULL,
        use       jsonb            NOT NULL,
        count     bigint           NOT NULL,
        first_at  timestamptz(3)   NOT NULL,
        last_at   timestamptz(3)   NOT NULL,
        PRIMARY KEY (client_id, period, key),
        CONSTRAINT client_usage_client_id_fkey FOREIGN KEY (client_id) REFERENCES client ON DELETE CASCADE
      ) WITH (fillfactor = 80);
      CREATE INDEX client_usage_by_period ON client_usage (period, client_id);

      CREATE TABLE client_last_use (
        client_id  text COLLATE "C" PRIMARY KEY,
        used_at    timestamptz(3),
        refused_at timestamptz(3),
        CONSTRAINT client_last_use_client_id_fkey FOREIGN KEY (client_id) REFERENCES client ON DELETE CASCADE
      ) WITH (fillfactor = 70);

      CREATE TABLE usage_batch (
        actor_id text COLLATE "C" NOT NULL,
        batch_id text COLLATE "C" NOT NULL,
        at       timestamptz(3)   NOT NULL,
        PRIMARY KEY (actor_id, batch_id)
      );
      CREATE INDEX usage_batch_by_age ON usage_batch (at);

      CREATE TABLE usage_reporter (
        actor_id    text COLLATE "C" NOT NULL,
        id          text COLLATE "C" NOT NULL,
        scope       text             NOT NULL,
        reported_to timestamptz(3)   NOT NULL,
        PRIMARY KEY (actor_id, id)
      ) WITH (fillfactor = 50);

      CREATE TABLE usage_gap (
        day   text COLLATE "C" NOT NULL,
        scope text COLLATE "C" NOT NULL,
        PRIMARY KEY (day, scope)
      );

      CREATE TABLE usage_recording (
        id          smallint PRIMARY KEY,
        since       timestamptz(3),
        recorded_to timestamptz(3)
      ) WITH (fillfactor = 50);
      INSERT INTO usage_recording (id) VALUES (1);
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP TABLE usage_recording;
      DROP TABLE usage_gap;
      DROP TABLE usage_reporter;
      DROP TABLE usage_batch;
      DROP TABLE client_last_use;
      DROP TABLE client_usage;
    `);
  }
}
