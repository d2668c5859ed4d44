import DataLoader from 'dataloader';
import type { DataSource } from 'typeorm';
import type { PreparedStatement } from './prepared-statement.js';

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
