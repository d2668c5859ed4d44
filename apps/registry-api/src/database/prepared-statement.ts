import { activeCallers } from '@svc/service-kit';
import DataLoader from 'dataloader';
import { DataSource } from 'typeorm';
import { type Freshness, ReadContext, readContext } from './read-context.js';
import { type Server, traceStatement } from './trace-statement.js';
import { poolOf, readOnOneCore, runAlone, type Transaction } from './transaction.js';
import { noteUnparsedName } from './unparsed-names.js';

/** Matches statements that write. */
const WRITES = /\b(INSERT INTO|UPDATE \w+ |DELETE FROM)/;

/** A statement that PostgreSQL parses and plans once per connection. */
export class PreparedStatement<Row extends object> {
  private readonly writes: boolean;

  /**
   * @param name unique among all prepared statements
   * @param text SQL with `$1`, ... that lists its columns, so that later migrations do not change its result
   * @param freshness how old the data that it reads may be; as the request allows when absent
   */
  constructor(
    private readonly name: string,
    private readonly text: string,
    private readonly freshness?: Freshness,
  ) {
    this.writes = WRITES.test(text);
  }

  /**
   * @param on the transaction to run in, or the data source for a separate connection. Never use the data source while
   *   holding a transaction: the embedded database has only one connection
   * @param owner of a write; see `RegistryPool.write`
   */
  async run(on: DataSource | Transaction, values: readonly unknown[], owner?: string): Promise<Row[]> {
    return on instanceof DataSource
      ? this.runWith(on, values, this.freshness, owner)
      : this.runOn(on, values);
  }

  /** Reads; if a standby has no row, reads from the primary, unless that is away: standbys lack the newest rows. */
  async find(on: DataSource, values: readonly unknown[]): Promise<Row[]> {
    const rows = await this.run(on, values);
    return rows.length === 0 && mayBeMissing(on) ? this.readCurrent(on, values) : rows;
  }

  /** Reads from the primary. */
  async readCurrent(on: DataSource, values: readonly unknown[]): Promise<Row[]> {
    return this.runWith(on, values, 'current');
  }

  private async runWith(
    on: DataSource,
    values: readonly unknown[],
    freshness: Freshness | undefined,
    owner?: string,
  ): Promise<Row[]> {
    const run = async () => runAlone(on, async (connection) => this.runOn(connection, values));
    if (this.writes) return poolOf(on).write(run, owner);
    return readFrom(on, async (standby) => this.runOn(standby, values, 'standby'), run, freshness);
  }

  private async runOn(
    connection: Pick<Transaction, 'query'>,
    values: readonly unknown[],
    server: Server = 'primary',
  ): Promise<Row[]> {
    const { name, text } = this;
    const run = async () => connection.query<Row>({ name, text, values: [...values] });
    try {
      return (await traceStatement(name, server, run)).rows;
    } catch (error) {
      noteUnparsedName(connection, name);
      throw error;
    }
  }
}

/** Whether a row that was not found may exist on the primary, which can be asked. */
export function mayBeMissing(dataSource: DataSource): boolean {
  return poolOf(dataSource).standbys?.canAskPrimary === true;
}

/** Reads from a standby if there are any and the current request may, otherwise from the primary. */
async function readFrom<T>(
  dataSource: DataSource,
  onStandby: (connection: Pick<Transaction, 'query'>) => Promise<T>,
  onPrimary: () => Promise<T>,
  freshness?: Freshness,
): Promise<T> {
  const { standbys } = poolOf(dataSource);
  return standbys ? standbys.read(onStandby, onPrimary, freshness) : onPrimary();
}

/**
 * Runs a statement that only reads, and is too seldom or too varied to be prepared.
 *
 * @param name in traces
 * @param owner see `RegistryPool.search`
 */
export async function queryToRead<Row>(
  dataSource: DataSource,
  name: string,
  text: string,
  values: readonly unknown[],
  owner?: string,
): Promise<Row[]> {
  const pool = poolOf(dataSource);
  const run = async (connection: Pick<Transaction, 'query'>) =>
    (await connection.query<Row & object>(text, [...values])).rows;
  const runOnPrimary = async () =>
    pool.isShared && activeCallers.areSeveral ? readOnOneCore(dataSource, run) : runAlone(dataSource, run);
  const read = async () =>
    readFrom<Row[]>(
      dataSource,
      async (standby) => traceStatement(name, 'standby', async () => run(standby)),
      async () => traceStatement(name, 'primary', runOnPrimary),
    );
  return pool.search(read, owner);
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
  const load = async (keys: readonly string[]): Promise<Row[][]> => {
    const found = new Map<string, Row[]>(keys.map((key) => [key, []]));
    const take = (rows: readonly Row[]) => rows.forEach((row) => found.get(keyOf(row))?.push(row));
    take(await statement.run(dataSource, [[...found.keys()]]));
    const missing = [...found].filter(([, rows]) => rows.length === 0).map(([key]) => key);
    if (missing.length > 0 && mayBeMissing(dataSource))
      take(await statement.readCurrent(dataSource, [missing]));
    return keys.map((key) => found.get(key)!);
  };
  const loaderOf = (freshness: Freshness) =>
    new DataLoader<string, { rows: Row[]; asOf: number | undefined }>(
      async (keys) => {
        const context = new ReadContext(freshness);
        const loaded = await readContext.run(context, async () => load(keys));
        return loaded.map((rows) => ({ rows, asOf: context.asOf }));
      },
      { cache: false, maxBatchSize: MAX_KEYS, batchScheduleFn: setImmediate },
    );
  const loaders: Readonly<Record<Freshness, ReturnType<typeof loaderOf>>> = {
    recent: loaderOf('recent'),
    credentials: loaderOf('credentials'),
    current: loaderOf('current'),
  };
  return async (key) => {
    const context = readContext.getStore();
    // A request that must see something does not share its reads.
    if (context?.hasNeeds) return (await load([key]))[0]!;
    const { rows, asOf } = await loaders[context?.freshness ?? 'current'].load(key);
    if (asOf === undefined) context?.hasSeen(performance.now());
    else context?.hasReadStandby(asOf);
    return rows;
  };
}
