/** The query of an address: plain texts by name, as the HTTP API has them too. */
export type SearchParams = Readonly<Record<string, string>>;

/** Reads the query of an address. Of a name that stands there twice the last counts. */
export function parseSearch(query: string): SearchParams {
  return Object.fromEntries(new URLSearchParams(query));
}

/** Writes the query of an address; what is empty is left out. */
export function writeSearch(params: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(params).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '',
  );
  const query = new URLSearchParams(entries).toString();
  return query === '' ? '' : `?${query}`;
}

/** Those of the named parameters that are there. */
export function pickParams<Name extends string>(
  params: Readonly<Record<string, unknown>>,
  names: readonly Name[],
): { [K in Name]?: string } {
  const picked = names.flatMap((name) => {
    const value = params[name];
    return typeof value === 'string' && value !== '' ? [[name, value] as const] : [];
  });
  return Object.fromEntries(picked) as { [K in Name]?: string };
}
