import type { MigrationInterface, QueryRunner } from 'typeorm';
import { lockTables } from '../database/lock-tables.js';

/**
 * What tokens are restricted to, and the labels of each change, which decide who sees it. Changes from before have none, as
 * Clients had none. A trigger adds those of changes that a replica of the previous version writes meanwhile.
 */
export class AddTokenRestrictions1790000016000 implements MigrationInterface {
  readonly name = 'AddTokenRestrictions1790000016000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await lockTables(queryRunner, ['client_change', 'api_token']);
    await queryRunner.query(`
      ALTER TABLE api_token
        ADD COLUMN selector jsonb,
        ADD COLUMN networks text[],
        ADD COLUMN max_uses integer,
        ADD COLUMN uses integer NOT NULL DEFAULT 0;
      ALTER TABLE client_change ADD COLUMN labels jsonb, ADD COLUMN labels_before jsonb;
      CREATE FUNCTION client_change_labelled() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF NEW.after IS NOT NULL THEN
          NEW.labels := coalesce(NEW.after->'labels', '{}');
          IF NEW.before IS NOT NULL THEN
            NEW.labels_before := nullif(coalesce(NEW.before->'labels', '{}'), NEW.labels);
          END IF;
        ELSIF NEW.before IS NOT NULL THEN
          NEW.labels := coalesce(NEW.before->'labels', '{}');
        ELSE
          SELECT c.labels INTO NEW.labels FROM client c WHERE c.client_id = NEW.client_id;
        END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER client_change_labelled BEFORE INSERT ON client_change
        FOR EACH ROW WHEN (NEW.labels IS NULL) EXECUTE FUNCTION client_change_labelled();
    `);
  }

  /** The previous version knows no restrictions, so restricted tokens must not remain. */
  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DELETE FROM api_token WHERE selector IS NOT NULL OR networks IS NOT NULL OR max_uses IS NOT NULL;
      DROP TRIGGER client_change_labelled ON client_change;
      DROP FUNCTION client_change_labelled();
      ALTER TABLE client_change DROP COLUMN labels_before, DROP COLUMN labels;
      ALTER TABLE api_token DROP COLUMN uses, DROP COLUMN max_uses, DROP COLUMN networks, DROP COLUMN selector;
    `);
  }
}
