import type { ClientBase } from 'pg';
import type { Logger } from 'pino';
import { DataSource, type DataSourceOptions, type Logger as TypeormLogger } from 'typeorm';
import { closeOnSilence } from './response-timeout.js';

/** The server cancels statements that take longer. */
const STATEMENT_TIMEOUT_MS = 5_000;

/** For a statement and its response; after that the connection is closed. */
export const RESPONSE_TIMEOUT_MS = 7_000;

/** How long a request waits for a connection before it fails. */
const CONNECT_TIMEOUT_MS = 5_000;

/** Where the database is. */
export type DatabaseAddress =
  | { readonly url: string; readonly poolSize: number }
  /** Folder of the embedded database's Unix socket. */
  | { readonly embedded: string };

/** What the database holds, and how it got there. */
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
    logger: new ForwardingLogger(logger),
    // The pool replaces the connection.
    poolErrorHandler: (err: unknown) => logger.warn({ err }, 'an idle database connection was lost'),
    ...('url' in address ? serverOptions(address) : embeddedOptions(address.embedded)),
  });
}

function serverOptions({ url, poolSize }: { url: string; poolSize: number }) {
  const onConnect = (client: ClientBase) => closeOnSilence(client, RESPONSE_TIMEOUT_MS);
  return { url, poolSize, extra: { statement_timeout: STATEMENT_TIMEOUT_MS, onConnect } };
}

/**
 * PGlite has one session behind all its sockets, where the prepared statements and transactions of two connections would
 * collide. So there is one connection, never closed when idle, that starts with a clean session.
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

/**
 * Forwards TypeORM's messages to the service's log; by default they go to the console. Queries are left out: their
 * parameters do not belong in a log, and their errors reach the caller.
 */
class ForwardingLogger implements TypeormLogger {
  constructor(private readonly logger: Logger) {}

  logQuery(): void {}

  logQueryError(): void {}

  logQuerySlow(): void {}

  logSchemaBuild(message: string): void {
    this.logger.debug(message);
  }

  logMigration(message: string): void {
    this.logger.debug(message);
  }

  log(level: 'log' | 'info' | 'warn', message: unknown): void {
    this.logger[level === 'warn' ? 'warn' : 'debug'](String(message));
  }
}
