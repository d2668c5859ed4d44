/**
 * SQLSTATE disk_full, out_of_memory and configuration_limit_exceeded (PostgreSQL documentation, appendix A). The fourth of
 * their class, too_many_connections, is that of a database that is away.
 */
const SQL_STATES = new Set<unknown>(['53100', '53200', '53400']);

/** Whether PostgreSQL had no room for a statement; the same one will succeed when it has. */
export function isOutOfRoom(error: unknown): boolean {
  return error instanceof Error && SQL_STATES.has((error as { code?: unknown }).code);
}
