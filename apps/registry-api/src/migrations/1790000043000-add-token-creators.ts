import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Which API tokens a restricted user of an issuer created: their limit is not that of unrestricted callers. What the former
 * version creates counts as created by unrestricted users until it expires, as all tokens of an issuer's users do.
 */
export class AddTokenCreators1790000043000 implements MigrationInterface {
  readonly name = 'AddTokenCreators1790000043000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE api_token ADD COLUMN by_restricted_user boolean NOT NULL DEFAULT false',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE api_token DROP COLUMN by_restricted_user');
  }
}
