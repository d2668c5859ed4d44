import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateRegistry1790000000000 implements MigrationInterface {
  readonly name = 'CreateRegistry1790000000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE SEQUENCE client_change_seq AS bigint;

      CREATE TABLE client (
        client_id   text COLLATE "C" PRIMARY KEY,
        metadata    jsonb            NOT NULL,
        cookie_name text             NOT NULL,
        seq         bigint           NOT NULL,
        created_at  timestamptz(3)   NOT NULL,
        updated_at  timestamptz(3)   NOT NULL
      );
      CREATE INDEX client_by_age ON client (created_at, client_id);

      CREATE TABLE client_secret (
        id         bigint           GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        client_id  text COLLATE "C" NOT NULL REFERENCES client (client_id) ON DELETE CASCADE,
        hash       bytea            NOT NULL,
        pepper_id  text             NOT NULL,
        hint       text             NOT NULL,
        created_at timestamptz(3)   NOT NULL,
        expires_at timestamptz(3)
      );
      CREATE INDEX client_secret_by_client ON client_secret (client_id);

      CREATE TABLE client_change (
        seq        bigint           PRIMARY KEY,
        client_id  text COLLATE "C" NOT NULL,
        kind       text             NOT NULL,
        at         timestamptz(3)   NOT NULL,
        actor_id   text             NOT NULL,
        actor_name text             NOT NULL,
        address    text             NOT NULL,
        before     jsonb,
        after      jsonb
      );
      CREATE INDEX client_change_by_client ON client_change (client_id, seq);

      CREATE TABLE api_token (
        id           text COLLATE "C" PRIMARY KEY,
        name         text             NOT NULL,
        hash         bytea            NOT NULL,
        scopes       text[]           NOT NULL,
        created_at   timestamptz(3)   NOT NULL,
        expires_at   timestamptz(3),
        last_used_at timestamptz(3)
      );
      CREATE UNIQUE INDEX api_token_by_hash ON api_token (hash);
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP TABLE api_token;
      DROP TABLE client_change;
      DROP TABLE client_secret;
      DROP TABLE client;
      DROP SEQUENCE client_change_seq;
    `);
  }
}
