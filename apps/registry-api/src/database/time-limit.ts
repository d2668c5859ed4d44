/** The server cancels statements that take longer. */
export const STATEMENT_TIMEOUT_MS = 5_000;

/**
 * Where a session's limit comes from: a start-up parameter, SET after connecting, or the server's own settings (of the role or
 * the database). Sessions that others use, too, are not changed: if the server does not limit them, each transaction does.
 */
export type TimeLimit = 'start-up parameter' | 'session' | 'server' | 'transaction';

export const LIMIT_SESSION = `SET statement_timeout = ${STATEMENT_TIMEOUT_MS}`;

export const BEGIN_LIMITED = `BEGIN; SET LOCAL statement_timeout = ${STATEMENT_TIMEOUT_MS}`;

/** The statement timeout of the current session, in milliseconds; 0: none. */
export const READ_LIMIT = `(1000 * extract(epoch FROM current_setting('statement_timeout')::interval))::int`;

export function isLimited(limitMs: number): boolean {
  return limitMs > 0 && limitMs <= STATEMENT_TIMEOUT_MS;
}

/** A pooler knows only some start-up parameters (PgBouncer: unless `ignore_startup_parameters` names them). */
export function isRefusedParameter(error: unknown): boolean {
  return /unsupported startup parameter.*statement_timeout/.test(String(error));
}
