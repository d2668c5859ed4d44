/** SQLSTATE class 40, transaction rollback (PostgreSQL documentation, appendix A): serialization failure, deadlock. */
const SQL_STATES = /^40/;

/** Whether a transaction was given up because of others at the same time; the same one may succeed when run again. */
export function isConflict(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && code.length === 5 && SQL_STATES.test(code);
}
