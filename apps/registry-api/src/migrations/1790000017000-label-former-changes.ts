import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * During an upgrade, replicas of the version before labels write changes without them, which no reader that is restricted to
 * labels would see. A trigger derives them.
 */
export class LabelFormerChanges1790000017000 implements MigrationInterface {
  readonly name = 'LabelFormerChanges1790000017000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
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

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP TRIGGER client_change_labelled ON client_change;
      DROP FUNCTION client_change_labelled();
    `);
  }
}
