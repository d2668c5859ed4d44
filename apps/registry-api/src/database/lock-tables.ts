import { setTimeout as sleep } from 'node:timers/promises';
import type { QueryRunner } from 'typeorm';

/** lock_not_available, deadlock_detected. */
const LOCK_STATES = new Set<unknown>(['55P03', '40P01']);

/**
 * How long one attempt waits for each lock. The first is shorter than PostgreSQL's `deadlock_timeout` (1 s): in a deadlock
 * the migration gives up, not the request. Later ones are longer, so that long reads do not keep it waiting for ever.
 */
const PATIENCE_MS = { least: 500, most: 30_000 };

const PAUSE_MS = 100;

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
    await sleep(PAUSE_MS);
  }
}

async function isLocked(
  queryRunner: QueryRunner,
  tables: readonly string[],
  patienceMs: number,
): Promise<boolean> {
  await queryRunner.query('SAVEPOINT unlocked');
  try {
    await queryRunner.query(`SET LOCAL lock_timeout = ${patienceMs}`);
    await queryRunner.query(`LOCK TABLE ${tables.join(', ')} IN ACCESS EXCLUSIVE MODE`);
    await queryRunner.query('SET LOCAL lock_timeout = 0; RELEASE SAVEPOINT unlocked');
    return true;
  } catch (error) {
    if (!LOCK_STATES.has((error as { code?: unknown }).code)) throw error;
    await queryRunner.query('ROLLBACK TO SAVEPOINT unlocked; RELEASE SAVEPOINT unlocked');
    return false;
  }
}
