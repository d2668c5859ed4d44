import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The record of security events: a chain of rows, each with a MAC over itself and the MAC before, and one row with both ends
 * of the chain. `details` is `json`, not `jsonb`, because the MAC is over its exact text. A trigger keeps events from being
 * changed by mistake; the MACs reveal what was changed on purpose.
 *
 * `api_token.expiry_recorded` tells which expiries are on record. Those before this migration are not reported.
 */
export class AddSecurityEvents1790000017500 implements MigrationInterface {
  readonly name = 'AddSecurityEvents1790000017500';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE security_event (
        seq          bigint         PRIMARY KEY,
        at           timestamptz(3) NOT NULL,
        kind         text           NOT NULL,
        actor_id     text           NOT NULL,
        actor_name   text           NOT NULL,
        actor_source text           NOT NULL,
        address      text           NOT NULL,
        subject      text           NOT NULL,
        details      json           NOT NULL,
        key_id       text           NOT NULL,
        mac          bytea          NOT NULL
      );
      CREATE INDEX security_event_by_kind ON security_event (kind, seq);
      CREATE INDEX security_event_by_actor ON security_event (actor_id, seq);
      CREATE INDEX security_event_by_subject ON security_event (subject, seq);

      CREATE TABLE security_event_chain (
        id            smallint PRIMARY KEY,
        head_seq      bigint   NOT NULL,
        head_mac      bytea    NOT NULL,
        head_key_id   text     NOT NULL,
        head_proof    bytea    NOT NULL,
        anchor_seq    bigint   NOT NULL,
        anchor_mac    bytea    NOT NULL,
        anchor_key_id text     NOT NULL,
        anchor_proof  bytea    NOT NULL,
        settings      jsonb
      );
      INSERT INTO security_event_chain VALUES (1, 0, '', '', '', 0, '', '', '', NULL);

      CREATE FUNCTION keep_security_event() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE 'security events cannot be changed';
      END $$;
      CREATE TRIGGER security_event_stays BEFORE UPDATE OR TRUNCATE ON security_event
        FOR EACH STATEMENT EXECUTE FUNCTION keep_security_event();

      ALTER TABLE api_token ADD COLUMN expiry_recorded boolean NOT NULL DEFAULT false;
      UPDATE api_token SET expiry_recorded = true WHERE expires_at <= now();
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE api_token DROP COLUMN expiry_recorded;
      DROP TABLE security_event_chain;
      DROP TABLE security_event;
      DROP FUNCTION keep_security_event();
    `);
  }
}
