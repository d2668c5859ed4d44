import DataLoader from 'dataloader';
import { DataSource } from 'typeorm';
import { poolOf, runAlone, type Transaction } from './transaction.js';

/** What tells statements that write from those that only read. */
const WRITES = /\b(INSERT INTO|UPDATE \w+ |DELETE FROM)/;

/** A statement that PostgreSQL parses and plans once per connection. */
export class PreparedStatement<Row extends object> {
  private readonly writes: boolean;

  /**
   * @param name unique among all prepared statements
   * @param text SQL with `$1`, ... that lists its columns, so that later migrations do not change its result
   */
  constructor(
    private readonly name: string,
    private readonly text: string,
  ) {
    this.writes = WRITES.test(text);
  }

  /**
   * @param on the transaction to run in, or the data source for a separate connection. Never use the data source while
   *   holding a transaction: the embedded database has only one connection
   */
  async run(on: DataSource | Transaction, values: readonly unknown[]): Promise<Row[]> {
    if (!(on instanceof DataSource)) return this.runOn(on, values);
    const run = async () => runAlone(on, async (connection) => this.runOn(connection, values));
    return this.writes ? poolOf(on).write(run) : run();
  }

  private async runOn(connection: Pick<Transaction, 'query'>, values: readonly unknown[]): Promise<Row[]> {
    const { rows } = await connection.query<Row>({ name: this.name, text: this.text, values: [...values] });
    return rows;
  }
}

/** Per statement. */
const MAX_KEYS = 100;

/**
 * Loads rows by key, with one statement for all keys requested in the same turn of the event loop: under load a round
 * trip to the database costs more than a row. Nothing is cached.
 *
 * @param statement `$1` keys, as an array
 * @returns loads the rows of a key, in the order of the statement
 */
export function createBatchLoader<Row extends object>(
  dataSource: DataSource,
  statement: PreparedStatement<Row>,
  keyOf: (row: Row) => string,
): (key: string) => Promise<readonly Row[]> {
  const loader = new DataLoader<string, Row[]>(
    async (keys) => {
      const found = new Map<string, Row[]>(keys.map((key) => [key, []]));
      for (const row of await statement.run(dataSource, [[...found.keys()]]))
        found.get(keyOf(row))?.push(row);
      return keys.map((key) => found.get(key)!);
    },
    { cache: false, maxBatchSize: MAX_KEYS, batchScheduleFn: setImmediate },
  );
  return async (key) => loader.load(key);
}
