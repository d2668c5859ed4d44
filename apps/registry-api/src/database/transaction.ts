import type { PoolClient } from 'pg';
import type { DataSource } from 'typeorm';
import { isConnectionError } from './database-errors.js';
import type { RegistryPool } from './registry-pool.js';
import { BEGIN_LIMITED } from './time-limit.js';
import { traceStatement } from './trace-statement.js';
import { hasUnparsedName } from './unparsed-names.js';

/** A connection with an open transaction. */
export type Transaction = PoolClient;

/** The connection pool behind TypeORM's data source. */
export function poolOf(dataSource: DataSource): RegistryPool {
  return (dataSource.driver as unknown as { readonly master: RegistryPool }).master;
}

/** What belongs to each open transaction. */
interface Hooks {
  readonly before: (() => Promise<void>)[];
  readonly after: Set<() => void>;
}

const ON_ONE_CORE = '; SET LOCAL max_parallel_workers_per_gather = 0';

const hooks = new WeakMap<Transaction, Hooks>();

/** Calls `act` after the transaction commits, once however often it was added; never after a rollback. */
export function onCommit(transaction: Transaction, act: () => void): void {
  hooks.get(transaction)?.after.add(act);
}

/** Runs statements as the last ones of the transaction, whose locks are held only for the commit. */
export function beforeCommit(transaction: Transaction, statements: () => Promise<void>): void {
  const added = hooks.get(transaction)?.before.push(statements);
  if (added === undefined) throw new Error('there is no open transaction');
}

/**
 * Runs `work` in a transaction, which commits when it succeeds and rolls back when it throws. Every statement inside must
 * use the transaction: on the embedded database another connection would never become free.
 *
 * @param owner see `RegistryPool.write`
 */
export async function inTransaction<T>(
  dataSource: DataSource,
  work: (transaction: Transaction) => Promise<T>,
  owner?: string,
): Promise<T> {
  const pool = poolOf(dataSource);
  return pool.write(async () => transact(pool, work), owner);
}

/** Runs a single statement, on any connection. */
export async function runAlone<T>(
  dataSource: DataSource,
  statement: (connection: Pick<Transaction, 'query'>) => Promise<T>,
): Promise<T> {
  const pool = poolOf(dataSource);
  return pool.timeLimit === 'transaction' ? transact(pool, statement) : statement(pool);
}

/**
 * Runs a single statement that only reads, but may take long, on any connection. Without parallel workers it takes one core of
 * the server, and leaves others to other callers.
 */
export async function readOnOneCore<T>(
  dataSource: DataSource,
  statement: (connection: Pick<Transaction, 'query'>) => Promise<T>,
): Promise<T> {
  return transact(poolOf(dataSource), statement, ON_ONE_CORE);
}

/** @param settings of the transaction: statements, each with a semicolon before it */
async function transact<T>(
  pool: RegistryPool,
  work: (transaction: Transaction) => Promise<T>,
  settings = '',
): Promise<T> {
  const connection = await pool.connect();
  let broken: Error | undefined;
  // An error event without a listener ends the process.
  const onLost = (error: Error) => (broken = error);
  connection.on('error', onLost);
  try {
    await connection.query((pool.timeLimit === 'transaction' ? BEGIN_LIMITED : 'BEGIN') + settings);
    const { before, after } = beginHooks(connection);
    const result = await work(connection);
    for (const statements of before) await statements();
    await traceStatement('COMMIT', 'primary', async () => connection.query('COMMIT'));
    for (const act of after) act();
    return result;
  } catch (error) {
    if (isConnectionError(error)) broken = error as Error;
    // A rollback fails only when the connection is lost, and the transaction with it.
    await connection.query('ROLLBACK').catch((lost: Error) => (broken = lost));
    throw error;
  } finally {
    connection.off('error', onLost);
    connection.release(broken ?? hasUnparsedName(connection));
  }
}

/** A connection that was used before still has the hooks of an earlier transaction. */
function beginHooks(transaction: Transaction): Hooks {
  const none: Hooks = { before: [], after: new Set() };
  hooks.set(transaction, none);
  return none;
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
