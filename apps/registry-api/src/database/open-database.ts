import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import type { Config } from '../config.js';
import { createDataSource } from './data-source.js';
import { startEmbeddedDatabase } from './embedded-database.js';

/** An open database and the way to leave it. */
export interface Database {
  readonly dataSource: DataSource;
  /** Closes the connections, and the embedded database after them. */
  close(): Promise<void>;
}

/** Connects to the PostgreSQL of `DATABASE_URL`, or to the embedded one when there is none. */
export async function openDatabase(
  config: Pick<Config, 'DATABASE_URL' | 'DATABASE_POOL_SIZE' | 'DATA_DIR'>,
  logger: Logger,
): Promise<Database> {
  if (config.DATABASE_URL !== undefined) {
    const address = { url: config.DATABASE_URL, poolSize: config.DATABASE_POOL_SIZE };
    return opened(createDataSource(address, logger), async () => undefined);
  }
  const embedded = await startEmbeddedDatabase(config.DATA_DIR);
  logger.warn(
    { folder: embedded.host },
    'no DATABASE_URL: running on the embedded database, which is meant for one process on one machine',
  );
  return opened(createDataSource({ embedded: embedded.host }, logger), embedded.close);
}

async function opened(dataSource: DataSource, afterwards: () => Promise<void>): Promise<Database> {
  try {
    await dataSource.initialize();
  } catch (error) {
    await afterwards();
    throw error;
  }
  return {
    dataSource,
    close: async () => {
      if (dataSource.isInitialized) await dataSource.destroy();
      await afterwards();
    },
  };
}
