import type { ClientBase, ClientConfig, PoolClient, PoolConfig } from 'pg';
import { AddressedClient } from './addressed-client.js';
import type { ConnectionAttempts } from './connection-attempts.js';
import { UnsupportedDatabaseError } from './database-errors.js';
import { detectPooling, isPooled, type Pooling } from './pooling.js';
import { RESPONSE_TIMEOUT_MS, setResponseTimeout } from './response-timeout.js';
import { isLimited, LIMIT_SESSION, READ_LIMIT, type TimeLimit } from './time-limit.js';

/** For the answer to a verification. */
const VERIFY_TIMEOUT_MS = 2_000;

/** For sessions beside the pool. */
export const SESSION_OPTIONS: ClientConfig = {
  application_name: 'svc-registry-probe',
  connectionTimeoutMillis: 5_000,
  query_timeout: 5_000,
};

/** How long a detected kind of pooling counts: the pooler may be replaced or reconfigured. */
const POOLING_MS = 60_000;

/** Read-only: a standby, or a server that an operator made so. The start time, to the microsecond, tells servers apart. */
const READ_SERVER = `pg_is_in_recovery() OR current_setting('transaction_read_only')::bool AS "isReadOnly",
  pg_postmaster_start_time()::text AS server`;

const READ_SESSION = `SELECT ${READ_SERVER}, pg_backend_pid() AS pid, ${READ_LIMIT} AS "limitMs",
  current_setting('DateStyle') AS "dateStyle", current_setting('default_transaction_isolation') AS isolation,
  current_user AS "role"`;

/** For finding out which server takes writes, in milliseconds; repeated if there is no answer. */
const LOOK_TIMEOUT_MS = 500;

interface ServerState {
  readonly isReadOnly: boolean;
  readonly server: string;
}

interface SessionState extends ServerState {
  readonly pid: number;
  readonly limitMs: number;
  readonly dateStyle: string;
  readonly isolation: string;
  readonly role: string;
}

/** The server at the end of a connection takes no writes. Its code is what a write there would have failed with. */
class ReadOnlyServerError extends Error {
  override readonly name = 'ReadOnlyServerError';
  readonly code = '25006';

  constructor() {
    super('the server accepts no writes: it is a standby, or was made read-only');
  }
}

/** Makes sure that a connection leads to a server that takes writes, and that the time of its statements is limited. */
export class SessionCheck {
  private detection: { readonly pooling: Promise<Pooling>; readonly at: number } | undefined;
  private limit: TimeLimit = 'start-up parameter';
  private readonly servers = new WeakMap<ClientBase, string>();

  /** @param options of the pool */
  constructor(
    private readonly options: PoolConfig,
    private readonly attempts: ConnectionAttempts | undefined,
  ) {}

  /** What limits the time of statements, as last seen. */
  get timeLimit(): TimeLimit {
    return this.limit;
  }

  /** As last seen. @throws {UnsupportedDatabaseError} */
  async pooling(): Promise<Pooling> {
    return (await this.detection?.pooling) ?? 'none';
  }

  /** Which server a verified connection leads to. Undefined behind a pooler, where that may change. */
  serverOf(client: ClientBase): string | undefined {
    return this.servers.get(client);
  }

  /**
   * Which server takes writes now, according to a new session; undefined if that one does not, or does not answer. The next call
   * then asks another.
   */
  async primary(): Promise<string | undefined> {
    if (this.attempts === undefined) return undefined;
    const times = { connectionTimeoutMillis: LOOK_TIMEOUT_MS, query_timeout: LOOK_TIMEOUT_MS };
    const session = new AddressedClient({ ...SESSION_OPTIONS, ...times }, this.attempts);
    try {
      await session.connect();
      const answered = session.query<ServerState>(`SELECT ${READ_SERVER}`);
      const { rows } = await answered.catch(() => ({ rows: [] }));
      if (rows[0]?.isReadOnly === false) return rows[0].server;
      session.skip();
      return undefined;
    } catch {
      return undefined;
    } finally {
      session.end().catch(() => undefined);
    }
  }

  /** @throws {ReadOnlyServerError} @throws {UnsupportedDatabaseError} */
  async verify(client: PoolClient): Promise<void> {
    await withVerifyTimeout(client, async () => {
      const { rows } = await client.query<SessionState>(READ_SESSION);
      const [state] = rows;
      if (state?.isReadOnly !== false) throw new ReadOnlyServerError();
      assertDefaults(state);
      if (!isPooled(client, state.pid)) this.servers.set(client, state.server);
      if (this.attempts !== undefined) await this.limitSession(client, this.attempts, state);
    });
  }

  private async limitSession(
    client: PoolClient,
    attempts: ConnectionAttempts,
    { pid, limitMs }: SessionState,
  ): Promise<void> {
    const pooling = isPooled(client, pid) ? await this.detect(attempts) : 'none';
    if (isLimited(limitMs)) {
      const isByParameter = pooling === 'none' && 'statement_timeout' in this.options;
      // Other sessions of a pooler may not be limited yet.
      if (this.limit === 'session' || this.limit === 'transaction') return;
      this.limit = isByParameter ? 'start-up parameter' : 'server';
    } else if (pooling === 'transaction') {
      this.limit = 'transaction';
    } else {
      await client.query(LIMIT_SESSION);
      this.limit = 'session';
    }
  }

  /** With sessions of its own: those of the pool may all be in use. */
  private async detect(attempts: ConnectionAttempts): Promise<Pooling> {
    const now = performance.now();
    if (this.detection === undefined || now - this.detection.at > POOLING_MS) {
      const detection = {
        pooling: detectPooling(() => new AddressedClient(SESSION_OPTIONS, attempts)),
        at: now,
      };
      this.detection = detection;
      detection.pooling.catch(() => {
        if (this.detection === detection) this.detection = undefined;
      });
    }
    return this.detection.pooling;
  }
}

/** The driver reads times of other styles as null, and what is read after a wait for others must not be older than the wait. */
function assertDefaults({ dateStyle, isolation, role }: SessionState): void {
  if (!dateStyle.startsWith('ISO')) {
    throw new UnsupportedDatabaseError(
      `times are written in the style "${dateStyle}", which the registry cannot read; run: ALTER ROLE "${role}" SET datestyle = 'ISO'`,
    );
  }
  if (isolation !== 'read committed') {
    throw new UnsupportedDatabaseError(
      `transactions are "${isolation}" by default; run: ALTER ROLE "${role}" SET default_transaction_isolation = 'read committed'`,
    );
  }
}

async function withVerifyTimeout(client: PoolClient, work: () => Promise<void>): Promise<void> {
  const ignore = () => undefined;
  // The query rejects, too; but an error event without a listener ends the process.
  client.on('error', ignore);
  setResponseTimeout(client, VERIFY_TIMEOUT_MS);
  try {
    await work();
  } finally {
    setResponseTimeout(client, RESPONSE_TIMEOUT_MS);
    client.off('error', ignore);
  }
}
