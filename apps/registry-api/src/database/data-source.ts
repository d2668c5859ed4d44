import type { ClientBase } from 'pg';
import type { Logger } from 'pino';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { endWhenSilent } from './end-when-silent.js';
import { TypeormLogger } from './typeorm-logger.js';

/** A statement that takes longer than this, in milliseconds, is cancelled. */
const STATEMENT_TIMEOUT_MS = 5_000;

/** The time for a statement, and for its answer to come; beyond, its connection is given up. In milliseconds. */
export const SILENCE_MS = 7_000;

/** How long a request waits for a connection, in milliseconds, before it is told that the database is away. */
const CONNECT_TIMEOUT_MS = 5_000;

/** Where the database is. */
export type DatabaseAddress =
  | { readonly url: string; readonly poolSize: number }
  /** Folder of the embedded database's Unix socket. */
  | { readonly embedded: string };

/** What the database holds, and how it came to hold it. */
export type DatabaseSchema = Required<Pick<DataSourceOptions, 'entities' | 'migrations'>>;

export function createDataSource(
  address: DatabaseAddress,
  schema: DatabaseSchema,
  logger: Logger,
): DataSource {
  return new DataSource({
    type: 'postgres',
    ...schema,
    migrationsTransactionMode: 'each',
    applicationName: 'svc-registry',
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    logger: new TypeormLogger(logger),
    // The pool replaces it.
    poolErrorHandler: (err: unknown) => logger.warn({ err }, 'an idle database connection was lost'),
    ...('url' in address ? serverOptions(address) : embeddedOptions(address.embedded)),
  });
}

function serverOptions({ url, poolSize }: { url: string; poolSize: number }) {
  const onConnect = (client: ClientBase) => endWhenSilent(client, SILENCE_MS);
  return { url, poolSize, extra: { statement_timeout: STATEMENT_TIMEOUT_MS, onConnect } };
}

/**
 * PGlite has one session behind all its sockets: prepared statements of two connections would collide there, and so
 * would their transactions. Hence one connection, never closed for idleness, that begins with a clean session.
 */
function embeddedOptions(host: string) {
  const onConnect = async (client: { query(sql: string): Promise<unknown> }) => client.query('DISCARD ALL');
  return {
    host,
    username: 'postgres',
    database: 'postgres',
    poolSize: 1,
    extra: { idleTimeoutMillis: 0, onConnect },
  };
}
