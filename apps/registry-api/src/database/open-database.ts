import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import { createDataSource, type DatabaseSchema } from './data-source.js';
import { startEmbeddedDatabase } from './embedded-database.js';
import { waitForDatabase } from './wait-for-database.js';

/** An open database and the way to leave it. */
export interface Database {
  readonly dataSource: DataSource;
  /** Closes the connections, and the embedded database after them. */
  close(): Promise<void>;
}

/** The environment variables that say where the database is. */
export interface DatabaseSettings {
  /** Without one, the embedded database runs in `DATA_DIR`. */
  readonly DATABASE_URL?: string | undefined;
  readonly DATABASE_POOL_SIZE: number;
  readonly DATABASE_WAIT_SECONDS: number;
  readonly DATA_DIR: string;
}

/**
 * Connects to the PostgreSQL of `DATABASE_URL`, for which it waits as long as `DATABASE_WAIT_SECONDS` says, or to the
 * embedded one when there is none.
 */
export async function openDatabase(
  settings: DatabaseSettings,
  schema: DatabaseSchema,
  logger: Logger,
): Promise<Database> {
  if (settings.DATABASE_URL !== undefined) {
    const address = { url: settings.DATABASE_URL, poolSize: settings.DATABASE_POOL_SIZE };
    const dataSource = createDataSource(address, schema, logger);
    const connect = async () => dataSource.initialize();
    await waitForDatabase(connect, 1000 * settings.DATABASE_WAIT_SECONDS, logger);
    return databaseOf(dataSource, async () => undefined);
  }
  const embedded = await startEmbeddedDatabase(settings.DATA_DIR);
  logger.warn(
    { folder: embedded.host },
    'no DATABASE_URL: running on the embedded database, which is meant for one process on one machine',
  );
  const dataSource = createDataSource({ embedded: embedded.host }, schema, logger);
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
