import type { Pool, PoolClient } from 'pg';
import type { DataSource } from 'typeorm';

/** A connection with an open transaction. */
export type Transaction = PoolClient;

/** The connection pool behind TypeORM's data source. */
export function poolOf(dataSource: DataSource): Pool {
  return (dataSource.driver as unknown as { readonly master: Pool }).master;
}

/** To be called after the commit of each open transaction. */
const followUps = new WeakMap<Transaction, Set<() => void>>();

/** Calls `act` after the transaction commits, once however often it was added; never after a rollback. */
export function onCommit(transaction: Transaction, act: () => void): void {
  followUps.get(transaction)?.add(act);
}

/**
 * Runs `work` in a transaction, which commits when it succeeds and rolls back when it throws. Every statement inside must
 * use the transaction: on the embedded database another connection would never become free.
 */
export async function inTransaction<T>(
  dataSource: DataSource,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  const connection = await poolOf(dataSource).connect();
  let broken: Error | undefined;
  // An error event without a listener ends the process.
  const onLost = (error: Error) => (broken = error);
  connection.on('error', onLost);
  try {
    await connection.query('BEGIN');
    const acts = new Set<() => void>();
    followUps.set(connection, acts);
    const result = await work(connection);
    await connection.query('COMMIT');
    for (const act of acts) act();
    return result;
  } catch (error) {
    // A rollback fails only when the connection is lost, and the transaction with it.
    await connection.query('ROLLBACK').catch((lost: Error) => (broken = lost));
    throw error;
  } finally {
    connection.off('error', onLost);
    connection.release(broken);
  }
}

/** Sends the statements of one connection one after the other; after a failure it sends no more. */
export class StatementQueue {
  private last: Promise<unknown> = Promise.resolve();

  /** Rejects with the failure of an earlier statement where there was one. The result may be awaited later, or never. */
  run<T>(statements: () => Promise<T>): Promise<T> {
    const result = this.last.then(statements);
    // If another failure ends the work first, this one is never awaited, and must not count as unhandled.
    result.catch(() => undefined);
    this.last = result;
    return result;
  }

  /** Resolves once no statement is running, whether or not they succeeded. */
  async idle(): Promise<void> {
    await this.last.catch(() => undefined);
  }
}
