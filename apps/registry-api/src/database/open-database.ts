import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import type { Config } from '../config.js';
import { createDataSource } from './data-source.js';
import { startEmbeddedDatabase } from './embedded-database.js';
import { waitForDatabase } from './wait-for-database.js';

/** An open database and the way to leave it. */
export interface Database {
  readonly dataSource: DataSource;
  /** Closes the connections, and the embedded database after them. */
  close(): Promise<void>;
}

/**
 * Connects to the PostgreSQL of `DATABASE_URL`, for which it waits as long as `DATABASE_WAIT_SECONDS` says, or to the
 * embedded one when there is none.
 */
export async function openDatabase(
  config: Pick<Config, 'DATABASE_URL' | 'DATABASE_POOL_SIZE' | 'DATABASE_WAIT_SECONDS' | 'DATA_DIR'>,
  logger: Logger,
): Promise<Database> {
  if (config.DATABASE_URL !== undefined) {
    const address = { url: config.DATABASE_URL, poolSize: config.DATABASE_POOL_SIZE };
    const dataSource = createDataSource(address, logger);
    const connect = async () => dataSource.initialize();
    await waitForDatabase(connect, 1000 * config.DATABASE_WAIT_SECONDS, logger);
    return databaseOf(dataSource, async () => undefined);
  }
  const embedded = await startEmbeddedDatabase(config.DATA_DIR);
  logger.warn(
    { folder: embedded.host },
    'no DATABASE_URL: running on the embedded database, which is meant for one process on one machine',
  );
  const dataSource = createDataSource({ embedded: embedded.host }, logger);
  try {
    await dataSource.initialize();
  } catch (error) {
    await embedded.close();
    throw error;
  }
  return databaseOf(dataSource, embedded.close);
}

function databaseOf(dataSource: DataSource, afterwards: () => Promise<void>): Database {
  return {
    dataSource,
    close: async () => {
      if (dataSource.isInitialized) await dataSource.destroy();
      await afterwards();
    },
  };
}
