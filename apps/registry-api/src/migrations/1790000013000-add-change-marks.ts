import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Gives each change a random mark beside its number, which a failover or a restore may issue again. Existing changes keep an
 * empty mark, so that positions and entity tags that were handed out stay valid; no row is rewritten. Earlier versions, which
 * do not know the column, get marks by its default.
 *
 * `change_position()` is `change_horizon()` with the mark of the last change, read by a later statement, which sees it.
 */
export class AddChangeMarks1790000013000 implements MigrationInterface {
  readonly name = 'AddChangeMarks1790000013000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE FUNCTION new_change_mark() RETURNS text LANGUAGE sql VOLATILE AS
        $$ SELECT left(replace(gen_random_uuid()::text, '-', ''), 12) $$;

      ALTER TABLE client_change ADD COLUMN mark text NOT NULL DEFAULT '';
      ALTER TABLE client_change ALTER COLUMN mark SET DEFAULT new_change_mark();
      ALTER TABLE client ADD COLUMN mark text NOT NULL DEFAULT '';

      CREATE FUNCTION change_position(OUT seq bigint, OUT mark text, OUT issued bigint) LANGUAGE plpgsql AS $$
      BEGIN
        SELECT h.last_seq, h.issued INTO seq, issued FROM change_horizon() h;
        SELECT ch.mark INTO mark FROM client_change ch WHERE ch.seq = change_position.seq;
        mark := coalesce(mark, '');
      END $$;
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP FUNCTION change_position();
      ALTER TABLE client DROP COLUMN mark;
      ALTER TABLE client_change DROP COLUMN mark;
      DROP FUNCTION new_change_mark();
    `);
  }
}
