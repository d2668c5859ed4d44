import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Lets readers follow the changes in order without missing one. Sequence numbers are issued in one order and become
 * visible in another, that of commits: a reader that remembers the highest number seen would skip one that commits later.
 *
 * - `next_change_seq()`: issues the number of every change. Before its first number a transaction takes a shared advisory
 *   lock, which never blocks; it only states "my numbers are above this floor", the sequence's previous value, until the
 *   transaction ends. A setting with the transaction's lifetime limits this to one lock per transaction.
 * - `change_horizon()`: how far changes can be read. A number up to the sequence's value, read first, belongs to a
 *   transaction that is either still in the list of locks, read second, with a floor below it; or has ended, so that its
 *   writes are visible to the third statement and all later ones. (A transaction leaves the list after its changes become
 *   visible.) The result is the number of an existing change, so it cannot be issued again after a crash.
 *
 * The lock's key is a tag of 16 bits ("RG") and the floor in the 48 bits below it.
 */
export class OrderChanges1790000006000 implements MigrationInterface {
  readonly name = 'OrderChanges1790000006000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE change_retention (
        id        smallint PRIMARY KEY,
        pruned_to bigint   NOT NULL
      );
      INSERT INTO change_retention (id, pruned_to) VALUES (1, 0);

      CREATE FUNCTION next_change_seq() RETURNS bigint LANGUAGE plpgsql AS $$
      DECLARE
        before bigint;
      BEGIN
        IF coalesce(current_setting('svc_registry.change_floor', true), '') = '' THEN
          SELECT last_value - CASE WHEN is_called THEN 0 ELSE 1 END INTO before FROM client_change_seq;
          PERFORM pg_advisory_xact_lock_shared((x'5247'::bigint << 48) | before);
          PERFORM set_config('svc_registry.change_floor', before::text, true);
        END IF;
        RETURN nextval('client_change_seq');
      END $$;

      CREATE FUNCTION change_horizon(OUT last_seq bigint, OUT issued bigint) LANGUAGE plpgsql AS $$
      DECLARE
        least_floor bigint;
      BEGIN
        IF current_setting('transaction_isolation') <> 'read committed' THEN
          RAISE 'change_horizon() must be asked before the snapshot is taken that it speaks of';
        END IF;
        SELECT last_value - CASE WHEN is_called THEN 0 ELSE 1 END INTO issued FROM client_change_seq;
        SELECT min(((classid::bigint & x'FFFF'::bigint) << 32) | objid::bigint) INTO least_floor
        FROM pg_locks
        WHERE locktype = 'advisory' AND objsubid = 1 AND classid::bigint >> 16 = x'5247'::bigint
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database());
        SELECT coalesce(
          (SELECT max(seq) FROM client_change WHERE seq <= least(issued, least_floor)),
          (SELECT pruned_to FROM change_retention)
        ) INTO last_seq;
      END $$;
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP FUNCTION change_horizon();
      DROP FUNCTION next_change_seq();
      DROP TABLE change_retention;
    `);
  }
}
