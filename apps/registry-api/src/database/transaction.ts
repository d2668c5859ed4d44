import type { Pool, PoolClient } from 'pg';
import type { DataSource } from 'typeorm';

/** One connection, within a transaction. */
export type Transaction = PoolClient;

/** The connections behind TypeORM's data source. */
export function poolOf(dataSource: DataSource): Pool {
  return (dataSource.driver as unknown as { readonly master: Pool }).master;
}

/** What follows the commit of each transaction under way. */
const followUps = new WeakMap<Transaction, Set<() => void>>();

/** Calls `act` once the transaction is committed, and never when it is not. The same one is called once. */
export function onCommit(transaction: Transaction, act: () => void): void {
  followUps.get(transaction)?.add(act);
}

/**
 * Runs statements as one transaction: all of them take effect when `work` succeeds, none when it throws. Statements of
 * the same request that are not given the transaction would wait for a connection, on the embedded database for ever.
 */
export async function inTransaction<T>(
  dataSource: DataSource,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  const connection = await poolOf(dataSource).connect();
  let broken: Error | undefined;
  // Whoever holds a connection has to hear of its end: nobody else does, and an error without a listener ends the process.
  const onLost = (fault: Error) => (broken = fault);
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
    // What cannot be rolled back has lost its connection, and its transaction with it.
    await connection.query('ROLLBACK').catch((fault: Error) => (broken = fault));
    throw error;
  } finally {
    connection.off('error', onLost);
    connection.release(broken);
  }
}
