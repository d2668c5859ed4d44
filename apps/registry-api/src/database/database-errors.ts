/*
 * What an error of the database means for a request. SQLSTATE codes: PostgreSQL documentation, appendix A.
 */

/** Network and name resolution failed: the server could not be reached, or stopped responding. */
const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
]);

/** Connection exception, too many connections, server shutting down or starting, read-only after a failover. */
const CONNECTION_STATES = /^(08...|53300|57P0[1-5]|25006)$/;

/** Errors without a code that `pg` raises when a connection ends or the pool has none to give. */
const DRIVER_MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/** query_canceled and lock_not_available: a statement exceeded `statement_timeout` or, where an operator sets it, `lock_timeout`. */
const TIMEOUT_STATES = new Set<unknown>(['57014', '55P03']);

/** disk_full, out_of_memory, configuration_limit_exceeded. too_many_connections, of the same class, is a connection error. */
const RESOURCE_STATES = new Set<unknown>(['53100', '53200', '53400']);

/** Class 40, transaction rollback: serialization failure, deadlock. */
const CONFLICT_STATES = /^40...$/;

/** There is no connection to a server that takes writes, for whatever reason; with its code and message. */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError';
  readonly code: string | undefined;

  constructor(override readonly cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause));
    this.code = (cause as NodeJS.ErrnoException | undefined)?.code;
  }
}

/** The server, or what stands in front of it, lacks what the registry needs; the message names the remedy. */
export class UnsupportedDatabaseError extends Error {
  override readonly name = 'UnsupportedDatabaseError';
}

/** Whether the database does not respond now but may soon. */
export function isConnectionError(error: unknown): boolean {
  if (error instanceof DatabaseUnavailableError) return true;
  if (typeof error !== 'object' || error === null) return false;
  const { code, message, syscall } = error as { code?: unknown; message?: unknown; syscall?: unknown };
  // A Unix socket, not a file.
  if (code === 'ENOENT') return syscall === 'connect';
  if (typeof code === 'string') return NETWORK_CODES.has(code) || CONNECTION_STATES.test(code);
  return typeof message === 'string' && DRIVER_MESSAGES.test(message);
}

/** Whether PostgreSQL cancelled a statement for its timeout; a retry may succeed. */
export function isTimeoutError(error: unknown): boolean {
  return error instanceof Error && TIMEOUT_STATES.has((error as { code?: unknown }).code);
}

/** Whether PostgreSQL ran out of disk or memory; the same statement succeeds once there is room. */
export function isDiskFullError(error: unknown): boolean {
  return error instanceof Error && RESOURCE_STATES.has((error as { code?: unknown }).code);
}

/** Whether a transaction was rolled back because of concurrent ones; a retry may succeed. */
export function isConflictError(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && CONFLICT_STATES.test(code);
}
