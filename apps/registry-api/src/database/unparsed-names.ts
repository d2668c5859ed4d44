/** The part of `pg`'s connections that its types lack: the statements that the server has parsed, by name. */
interface ParsingConnection {
  readonly connection?: { readonly parsedStatements: Readonly<Record<string, string>> };
}

const noted = new WeakSet<object>();

/**
 * To be called after a prepared statement failed. If the server did not parse it, as while it waited for a lock, PostgreSQL
 * accepts the name again. PgBouncer does not: it considers the name used, and ends a connection that reuses it.
 */
export function noteUnparsedName(connection: object, name: string): void {
  const parsed = (connection as ParsingConnection).connection?.parsedStatements;
  if (parsed && !(name in parsed)) noted.add(connection);
}

/** Whether a connection must be closed after its use, since a name of a prepared statement may no longer work there. */
export function hasUnparsedName(connection: object): boolean {
  return noted.has(connection);
}
