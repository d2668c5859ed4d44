/** Of the network, and of name resolution: the server could not be reached, or fell silent. */
const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
]);

/**
 * SQLSTATE classes and codes (PostgreSQL documentation, appendix A): connection exception, too many connections, the
 * server is shutting down or starting, read-only after a failover.
 */
const SQL_STATES = /^(08...|53300|57P0[1-5]|25006)$/;

/** What `pg` says without a code when a connection ends under it or none can be had. */
const DRIVER_MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/;

/** Whether an error means that the database does not answer now but may soon; not that a statement was wrong. */
export function isDatabaseAway(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code === 'string') return NETWORK_CODES.has(code) || SQL_STATES.test(code);
  return typeof message === 'string' && DRIVER_MESSAGES.test(message);
}
