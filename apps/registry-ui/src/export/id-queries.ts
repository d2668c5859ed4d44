/** Characters of a query that stay well below the 16 KiB in which a registry reads a request's address and headers. */
const MAX_LENGTH = 6_000;

/**
 * Queries of `GET /clients/export` that name Clients, as many in each as a request can carry. Each answer is in the
 * order of the ids, and so are all of them one after the other.
 */
export function idQueries(clientIds: readonly string[]): string[] {
  const queries: string[] = [];
  let query = '';
  for (const clientId of clientIds.toSorted(byCodeUnits)) {
    const parameter = new URLSearchParams({ client_id: clientId }).toString();
    if (query !== '' && query.length + parameter.length > MAX_LENGTH) {
      queries.push(query);
      query = '';
    }
    query += `${query === '' ? '?' : '&'}${parameter}`;
  }
  return query === '' ? queries : [...queries, query];
}

/** As the registry sorts ids, which are ASCII. */
function byCodeUnits(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
