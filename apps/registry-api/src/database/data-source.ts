import pg, { type ClientBase, type PoolConfig } from 'pg';
import type { Logger } from 'pino';
import { DataSource, type DataSourceOptions, type Logger as TypeormLogger, type QueryRunner } from 'typeorm';
import { ConnectionAttempts, type ConnectionSource } from './connection-attempts.js';
import { clientOf, RegistryPool } from './registry-pool.js';
import { closeOnSilence, RESPONSE_TIMEOUT_MS } from './response-timeout.js';
import { STANDBY_SILENCE_MS } from './standbys.js';
import { STATEMENT_TIMEOUT_MS } from './time-limit.js';
import { poolOf, runAlone } from './transaction.js';

/** How long a request waits for a connection before it fails. */
const CONNECT_TIMEOUT_MS = 5_000;

/** For standbys, whose work the primary can take over. */
const STANDBY_CONNECT_TIMEOUT_MS = 1_000;

/**
 * Connections that were not needed for this long are closed. Opening one, and its first statements, takes long on a busy
 * server.
 */
const IDLE_TIMEOUT_MS = 60_000;

/** Where the database is. */
export type DatabaseAddress =
  | {
      readonly source: ConnectionSource;
      /** For LISTEN, which needs a session of its own; `source` when absent. */
      readonly listenSource?: ConnectionSource | undefined;
      readonly poolSize: number;
    }
  /** Folder of the embedded database's Unix socket. */
  | { readonly embedded: string };

/** What the database holds, and how it got there. */
export type DatabaseSchema = Required<Pick<DataSourceOptions, 'entities' | 'migrations'>>;

export function createDataSource(
  address: DatabaseAddress,
  schema: DatabaseSchema,
  logger: Logger,
): DataSource {
  return new LimitedDataSource({
    type: 'postgres',
    ...schema,
    migrationsTransactionMode: 'each',
    applicationName: 'svc-registry',
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    logger: new ForwardingLogger(logger),
    // The pool replaces the connection; if it cannot, it logs that.
    poolErrorHandler: (err: unknown) => logger.debug({ err }, 'an idle database connection was lost'),
    ...('source' in address ? serverOptions(address) : embeddedOptions(address.embedded)),
    driver: {
      ...pg,
      Pool: poolClass(logger, address),
    },
  });
}

/** Limits the time of single statements where sessions cannot. */
class LimitedDataSource extends DataSource {
  override async query<T>(query: string, parameters?: unknown[], queryRunner?: QueryRunner): Promise<T> {
    const isAlone =
      queryRunner === undefined && this.isInitialized && poolOf(this).timeLimit === 'transaction';
    if (!isAlone) return super.query<T>(query, parameters, queryRunner);
    return runAlone(this, async (connection) => (await connection.query(query, parameters)).rows as T);
  }
}

/** TypeORM creates its pool from the driver's class. */
function poolClass(logger: Logger, address: DatabaseAddress): typeof pg.Pool {
  const { source, listenSource } = 'source' in address ? address : {};
  const attempts = source && new ConnectionAttempts(source);
  const listenAttempts = listenSource && new ConnectionAttempts(listenSource);
  return class extends RegistryPool {
    constructor(options: PoolConfig) {
      super(options, logger, attempts, listenAttempts);
    }
  };
}

function serverOptions({ poolSize }: { readonly poolSize: number }) {
  const onConnect = (client: ClientBase) => closeOnSilence(client, RESPONSE_TIMEOUT_MS);
  return {
    poolSize,
    extra: { statement_timeout: STATEMENT_TIMEOUT_MS, idleTimeoutMillis: IDLE_TIMEOUT_MS, onConnect },
  };
}

/** A pool of connections that only read. They fail early: the primary serves what they do not. */
export function standbyOptions(poolSize: number, attempts: ConnectionAttempts): PoolConfig {
  return {
    max: poolSize,
    connectionTimeoutMillis: STANDBY_CONNECT_TIMEOUT_MS,
    application_name: 'svc-registry-read',
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    onConnect: (client) => closeOnSilence(client, STANDBY_SILENCE_MS),
    Client: clientOf(attempts),
  };
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
