import { randomBytes } from 'node:crypto';
import type { Client, ClientBase } from 'pg';
import { UnsupportedDatabaseError } from './database-errors.js';

/**
 * What stands between this process and PostgreSQL: nothing that shares sessions, or a pooler (such as PgBouncer) that assigns
 * a session to each of its clients, or to each transaction.
 */
export type Pooling = 'none' | 'session' | 'transaction';

/** How often two clients take turns to find out whether they share sessions. */
const ROUNDS = 3;

/** Whether a query runs in a session other than that of the handshake: poolers make up the handshake's process id. */
export function isPooled(client: ClientBase, pid: number): boolean {
  return (client as unknown as { readonly processID?: number }).processID !== pid;
}

/**
 * Detects pooling without leaving any state in a session that others use, too.
 *
 * @param open a client to the address in question, not yet connected
 * @throws {UnsupportedDatabaseError} with a pooler that does not keep prepared statements, or assigns each statement
 */
export async function detectPooling(open: () => Client): Promise<Pooling> {
  const clients = [open(), open()] as const;
  // Their queries reject, too; but an error event without a listener ends the process.
  for (const client of clients) client.on('error', () => undefined);
  try {
    await clients[0].connect();
    if (!isPooled(clients[0], await backendPid(clients[0]))) return 'none';
    const doesMove = await movesBetweenSessions(...clients).catch(falseUnlessUnsupported);
    const isRenamed = await renamesPreparedStatements(clients[0]);
    if (doesMove && !isRenamed) throw new UnsupportedDatabaseError(NO_PREPARED_STATEMENTS);
    return isRenamed ? 'transaction' : 'session';
  } finally {
    // Not awaited: a server that stopped responding does not answer this either.
    for (const client of clients) client.end().catch(() => undefined);
  }
}

const NO_PREPARED_STATEMENTS =
  'the pooler in front of PostgreSQL assigns a session to each transaction, but does not keep prepared statements; ' +
  'set max_prepared_statements = 200 (PgBouncer 1.21 or later), or pool_mode = session';

const NO_TRANSACTIONS =
  'the pooler in front of PostgreSQL assigns a session to each statement, which rules out transactions; ' +
  'set pool_mode = transaction or session';

/** Whether a client's transactions run in several sessions, as seen when another client holds the one it just used. */
async function movesBetweenSessions(client: Client, other: Client): Promise<boolean> {
  await other.connect();
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = await backendPid(client);
    await begin(other);
    const [held, after] = [await backendPid(other), await backendPid(client)];
    await other.query('COMMIT');
    if (before !== after || before === held) return true;
  }
  return false;
}

/** Failing to open a second session proves nothing, as when all of a pooler's are assigned. */
function falseUnlessUnsupported(error: unknown): boolean {
  if (error instanceof UnsupportedDatabaseError) throw error;
  return false;
}

/** In statement mode PgBouncer refuses transactions. */
async function begin(client: ClientBase): Promise<void> {
  try {
    await client.query('BEGIN');
  } catch (error) {
    if (!/statement pooling/.test(String(error))) throw error;
    throw new UnsupportedDatabaseError(NO_TRANSACTIONS);
  }
}

/** Poolers that keep prepared statements across sessions give them names of their own in each. */
async function renamesPreparedStatements(client: ClientBase): Promise<boolean> {
  const name = `registry_probe_${randomBytes(6).toString('hex')}`;
  const { rows } = await client.query<{ isKept: boolean }>({
    name,
    text: 'SELECT EXISTS (SELECT FROM pg_prepared_statements WHERE name = $1) AS "isKept"',
    values: [name],
  });
  return rows[0]?.isKept === false;
}

async function backendPid(client: ClientBase): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]!.pid;
}
