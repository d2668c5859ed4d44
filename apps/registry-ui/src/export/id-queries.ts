/** Query length limit, well below the 16 KiB that the registry allows for a request's URL and headers. */
const MAX_LENGTH = 6_000;

/**
 * `GET /clients/export` queries that name clients, as many per request as fit. The ids are sorted as in each response, so
 * the responses can be concatenated.
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

/** The registry's sort order for ids, which are ASCII. */
function byCodeUnits(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
