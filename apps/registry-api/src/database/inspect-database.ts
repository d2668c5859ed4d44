import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import { UnsupportedDatabaseError } from './database-errors.js';
import { ListeningSession } from './listening-session.js';
import { poolOf } from './transaction.js';

/** The oldest PostgreSQL that the registry is tested on. */
const OLDEST_VERSION = 14;

/** Those that store any text as it is sent. */
const WHOLE_ENCODINGS = new Set(['UTF8', 'SQL_ASCII']);

const READ_SERVER = `SELECT current_setting('server_version') AS version,
    current_setting('server_version_num')::int / 10000 AS major, current_user AS "role",
    current_setting('server_encoding') AS encoding,
    current_schema() AS schema, current_setting('search_path') AS "searchPath",
    EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_trgm') AS "hasTrigrams",
    EXISTS (SELECT FROM pg_available_extensions WHERE name = 'pg_trgm') AS "canHaveTrigrams",
    (SELECT rolsuper FROM pg_roles WHERE rolname = current_user)
      OR has_database_privilege(current_database(), 'CREATE')
        AND EXISTS (SELECT FROM pg_available_extension_versions WHERE name = 'pg_trgm' AND trusted) AS "mayCreateTrigrams"`;

interface Server {
  readonly version: string;
  readonly major: number;
  readonly role: string;
  readonly encoding: string;
  /** Null: none of `search_path` exists. */
  readonly schema: string | null;
  readonly searchPath: string;
  readonly hasTrigrams: boolean;
  readonly canHaveTrigrams: boolean;
  readonly mayCreateTrigrams: boolean;
}

/**
 * Logs in one line what the registry runs on, and what would work better otherwise.
 *
 * @param listenVariable the setting that says where notifications are received
 * @throws {UnsupportedDatabaseError} with the remedy
 */
export async function inspectDatabase(
  dataSource: DataSource,
  listenVariable: string,
  logger: Logger,
): Promise<void> {
  const pool = poolOf(dataSource);
  const [server] = await dataSource.query<Server[]>(READ_SERVER);
  assertSupported(server!);
  const [pooling, obstacle] = [await pool.pooling(), await listenObstacle(dataSource)];
  const { timeLimit } = pool;
  logger.info(
    {
      version: server!.version,
      pooling,
      timeLimit,
      listen: obstacle === undefined ? listenVariable : 'unavailable',
    },
    'connected to PostgreSQL',
  );
  if (timeLimit === 'transaction') {
    logger.warn(
      { remedy: `ALTER ROLE "${server!.role}" SET statement_timeout = '5s'` },
      'each statement needs a transaction of its own to limit its time: the pooler does not pass on statement_timeout',
    );
  }
  if (obstacle !== undefined) {
    logger.warn(
      { reason: obstacle, remedy: 'set DATABASE_LISTEN_URL to an address of PostgreSQL without a pooler' },
      'changes made by other replicas arrive up to a second late: LISTEN does not work',
    );
  }
}

function assertSupported(server: Server): void {
  const { version, major, encoding, schema, hasTrigrams, canHaveTrigrams, mayCreateTrigrams } = server;
  if (major < OLDEST_VERSION) {
    throw new UnsupportedDatabaseError(
      `PostgreSQL ${version} is too old; upgrade it to ${OLDEST_VERSION} or later`,
    );
  }
  if (!WHOLE_ENCODINGS.has(encoding)) {
    throw new UnsupportedDatabaseError(
      `the database's encoding, ${encoding}, cannot store all characters; move the data to a database created with ` +
        "ENCODING 'UTF8' TEMPLATE template0",
    );
  }
  if (schema === null) {
    throw new UnsupportedDatabaseError(
      `none of the schemas in search_path (${server.searchPath}) exists; create one, or correct search_path`,
    );
  }
  if (hasTrigrams) return;
  if (!canHaveTrigrams) {
    throw new UnsupportedDatabaseError(
      'the extension pg_trgm is not available on the server; install it there (Debian: postgresql-contrib), then start again',
    );
  }
  if (!mayCreateTrigrams) {
    throw new UnsupportedDatabaseError(
      'the extension pg_trgm is missing, and this role may not create it; run in this database, as its owner or ' +
        'a superuser: CREATE EXTENSION pg_trgm',
    );
  }
}

/** Why notifications do not arrive; undefined if they do. */
async function listenObstacle(dataSource: DataSource): Promise<string | undefined> {
  const ignore = () => undefined;
  try {
    const session = await ListeningSession.open(poolOf(dataSource), 'svc_registry_probe', {
      onNotified: ignore,
      onClosed: ignore,
    });
    session.close();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
