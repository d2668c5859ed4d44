import { setTimeout as sleep } from 'node:timers/promises';
import type { QueryRunner } from 'typeorm';

/** lock_not_available, deadlock_detected. */
const LOCK_STATES = new Set<unknown>(['55P03', '40P01']);

/**
 * How long one attempt may take: meanwhile all requests that use the tables wait, too, which must not exceed the time that
 * their statements may take. The first is shorter than PostgreSQL's `deadlock_timeout` (1 s): in a deadlock the migration gives
 * up, not the request. Later ones are longer, since reads are longer while the server is busy.
 */
const PATIENCE_MS = { least: 500, most: 2_000 };

/** After an attempt, in times its length: what had to wait is done, although something holds a lock for minutes. */
const PAUSE = 2;

/**
 * Locks tables that migrations alter, all or none: replicas of the previous version that hold one of them and need the next
 * would otherwise deadlock with the migrations, which run in one transaction.
 *
 * @param tables in the order in which writers lock them; none: does nothing
 */
export async function lockTables(queryRunner: QueryRunner, tables: readonly string[]): Promise<void> {
  if (tables.length === 0) return;
  for (let patienceMs = PATIENCE_MS.least; ; patienceMs = Math.min(2 * patienceMs, PATIENCE_MS.most)) {
    if (await isLocked(queryRunner, tables, patienceMs)) return;
    await sleep(PAUSE * patienceMs);
  }
}

async function isLocked(
  queryRunner: QueryRunner,
  tables: readonly string[],
  patienceMs: number,
): Promise<boolean> {
  await queryRunner.query('SAVEPOINT unlocked');
  try {
    const deadline = performance.now() + patienceMs;
    for (const table of tables) {
      const leftMs = Math.max(1, Math.ceil(deadline - performance.now()));
      await queryRunner.query(
        `SET LOCAL lock_timeout = ${leftMs}; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`,
      );
    }
    await queryRunner.query('SET LOCAL lock_timeout = 0; RELEASE SAVEPOINT unlocked');
    return true;
  } catch (error) {
    if (!LOCK_STATES.has((error as { code?: unknown }).code)) throw error;
    await queryRunner.query('ROLLBACK TO SAVEPOINT unlocked; RELEASE SAVEPOINT unlocked');
    return false;
  }
}
