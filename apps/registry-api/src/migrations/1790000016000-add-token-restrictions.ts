import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What tokens are restricted to, and the labels of each change, which decide who sees it. Changes from before have none, as
 * Clients had none.
 */
export class AddTokenRestrictions1790000016000 implements MigrationInterface {
  readonly name = 'AddTokenRestrictions1790000016000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE api_token
        ADD COLUMN selector jsonb,
        ADD COLUMN networks text[],
        ADD COLUMN max_uses integer,
        ADD COLUMN uses integer NOT NULL DEFAULT 0;
      ALTER TABLE client_change ADD COLUMN labels jsonb, ADD COLUMN labels_before jsonb;
    `);
  }

  /** The previous version knows no restrictions, so restricted tokens must not remain. */
  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DELETE FROM api_token WHERE selector IS NOT NULL OR networks IS NOT NULL OR max_uses IS NOT NULL;
      ALTER TABLE client_change DROP COLUMN labels_before, DROP COLUMN labels;
      ALTER TABLE api_token DROP COLUMN uses, DROP COLUMN max_uses, DROP COLUMN networks, DROP COLUMN selector;
    `);
  }
}
