import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileValue } from '@svc/foundation';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import { ConnectionAttempts, type ConnectionSource } from './connection-attempts.js';
import { createDataSource, type DatabaseSchema, standbyOptions } from './data-source.js';
import { DatabaseUnavailableError, isConnectionError } from './database-errors.js';
import { startEmbeddedDatabase } from './embedded-database.js';
import { inspectDatabase } from './inspect-database.js';
import { Standbys } from './standbys.js';
import { poolOf } from './transaction.js';

/** An open database. */
export interface Database {
  readonly dataSource: DataSource;
  /** Closes the connections, and the embedded database after them. */
  close(): Promise<void>;
}

/** The environment variables that say where the database is. */
export interface DatabaseSettings {
  /** Without one, the embedded database runs in `DATA_DIR`. */
  readonly DATABASE_URL?: string | undefined;
  /** The files are read again for each new connection. */
  readonly DATABASE_URL_FILE?: string | undefined;
  /** For the connection that receives notifications. */
  readonly DATABASE_LISTEN_URL?: string | undefined;
  readonly DATABASE_LISTEN_URL_FILE?: string | undefined;
  /** Standbys to read from. */
  readonly DATABASE_READ_URL?: string | undefined;
  readonly DATABASE_READ_URL_FILE?: string | undefined;
  /** The maximum age of data that decides about credentials while the primary is away. */
  readonly STALE_CREDENTIALS_SECONDS: number;
  readonly DATABASE_PASSWORD?: string | undefined;
  readonly DATABASE_PASSWORD_FILE?: string | undefined;
  readonly DATABASE_POOL_SIZE: number;
  readonly DATABASE_WAIT_SECONDS: number;
  readonly DATA_DIR: string;
}

/** Connects to the PostgreSQL of `DATABASE_URL`, or starts the embedded one. */
export async function openDatabase(
  settings: DatabaseSettings,
  schema: DatabaseSchema,
  logger: Logger,
): Promise<Database> {
  if (settings.DATABASE_URL !== undefined) {
    return connectToServer(settings, settings.DATABASE_URL, schema, logger);
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

async function connectToServer(
  settings: DatabaseSettings,
  url: string,
  schema: DatabaseSchema,
  logger: Logger,
): Promise<Database> {
  const { DATABASE_LISTEN_URL: listenUrl, DATABASE_POOL_SIZE: poolSize } = settings;
  const source = connectionSourceOf(settings, url, settings.DATABASE_URL_FILE);
  const listenSource =
    listenUrl === undefined
      ? undefined
      : connectionSourceOf(settings, listenUrl, settings.DATABASE_LISTEN_URL_FILE);
  const dataSource = createDataSource({ source, listenSource, poolSize }, schema, logger);
  const database = databaseOf(dataSource, async () => undefined);
  const connect = async () => dataSource.initialize();
  await waitForDatabase(connect, 1000 * settings.DATABASE_WAIT_SECONDS, logger);
  try {
    const listenVariable = listenUrl === undefined ? 'DATABASE_URL' : 'DATABASE_LISTEN_URL';
    await inspectDatabase(dataSource, listenVariable, logger);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Lets requests read from the standbys of `DATABASE_READ_URL`, if there are any. The database must be migrated. */
export async function openStandbys(
  settings: DatabaseSettings,
  { dataSource }: Database,
): Promise<{ close(): Promise<void> }> {
  const { DATABASE_READ_URL: url, DATABASE_READ_URL_FILE: urlFile } = settings;
  if (url === undefined) return { close: async () => undefined };
  const primary = poolOf(dataSource);
  const source = connectionSourceOf(settings, url, urlFile);
  const options = standbyOptions(settings.DATABASE_POOL_SIZE, new ConnectionAttempts(source));
  const standbys = new Standbys(options, primary, 1_000 * settings.STALE_CREDENTIALS_SECONDS);
  await standbys.start();
  primary.standbys = standbys;
  return standbys;
}

/** @param urlFile where `url` is from; it is read again */
function connectionSourceOf(
  settings: DatabaseSettings,
  url: string,
  urlFile: string | undefined,
): ConnectionSource {
  const { DATABASE_PASSWORD_FILE, DATABASE_PASSWORD } = settings;
  return {
    readUrl: urlFile === undefined ? () => url : reader(urlFile),
    readPassword:
      DATABASE_PASSWORD_FILE === undefined ? () => DATABASE_PASSWORD : reader(DATABASE_PASSWORD_FILE),
  };
}

function reader(path: string): () => string {
  return () => fileValue(readFileSync(path, 'utf8'));
}

function databaseOf(dataSource: DataSource, closeServer: () => Promise<void>): Database {
  return {
    dataSource,
    close: async () => {
      if (dataSource.isInitialized) await dataSource.destroy();
      await closeServer();
    },
  };
}

/** Between attempts, in milliseconds: short at first, since a database often starts moments later. */
const PAUSES = { first: 250, longest: 2_000 };

/**
 * Retries for at most `waitMs` milliseconds while the database is unavailable, so that a service and its database may
 * start together, in any order; 0 tries once.
 *
 * @throws the error of the last attempt, without waiting where that cannot help, such as for a wrong password
 */
export async function waitForDatabase(
  connect: () => Promise<unknown>,
  waitMs: number,
  logger: Logger,
): Promise<void> {
  const deadline = performance.now() + waitMs;
  for (let pause = PAUSES.first; ; pause = Math.min(2 * pause, PAUSES.longest)) {
    try {
      await connect();
      return;
    } catch (error) {
      const left = deadline - performance.now();
      const reason = error instanceof DatabaseUnavailableError ? error.cause : error;
      if (left <= 0 || !isConnectionError(reason)) throw error;
      if (pause === PAUSES.first) {
        const { code, message } = error as NodeJS.ErrnoException;
        logger.warn({ reason: code ?? message, seconds: waitMs / 1000 }, 'waiting for the database');
      }
      await sleep(Math.min(pause, left));
    }
  }
}
