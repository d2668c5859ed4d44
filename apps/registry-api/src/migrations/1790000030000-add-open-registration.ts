import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Clients that wait for approval, unused Clients, and the limits of registration. A trigger keeps the states apart, so that a
 * former version can enable such Clients, too.
 */
export class AddOpenRegistration1790000030000 implements MigrationInterface {
  readonly name = 'AddOpenRegistration1790000030000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE client
        ADD COLUMN pending boolean NOT NULL DEFAULT false,
        ADD COLUMN unused_at timestamptz(3);
      CREATE INDEX client_pending ON client (created_at, client_id) WHERE pending;
      CREATE FUNCTION client_enabled() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.pending := false;
        NEW.unused_at := NULL;
        RETURN NEW;
      END $$;
      CREATE TRIGGER client_enabled BEFORE UPDATE OF enabled ON client
        FOR EACH ROW WHEN (NEW.enabled) EXECUTE FUNCTION client_enabled();

      CREATE TABLE open_registration (
        network text COLLATE "C" PRIMARY KEY,
        day     text COLLATE "C" NOT NULL,
        count   integer          NOT NULL
      );

      ALTER TABLE api_token
        ADD COLUMN max_registrations integer,
        ADD COLUMN registrations_per_day integer,
        ADD COLUMN registrations integer NOT NULL DEFAULT 0,
        ADD COLUMN registration_day text,
        ADD COLUMN registrations_on_day integer NOT NULL DEFAULT 0;

      ALTER TABLE client_registration ADD COLUMN recorded_expiry timestamptz(3);
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE client_registration DROP COLUMN recorded_expiry;
      ALTER TABLE api_token
        DROP COLUMN max_registrations,
        DROP COLUMN registrations_per_day,
        DROP COLUMN registrations,
        DROP COLUMN registration_day,
        DROP COLUMN registrations_on_day;
      DROP TABLE open_registration;
      DROP TRIGGER client_enabled ON client;
      DROP FUNCTION client_enabled();
      DROP INDEX client_pending;
      ALTER TABLE client DROP COLUMN pending, DROP COLUMN unused_at;
    `);
  }
}
