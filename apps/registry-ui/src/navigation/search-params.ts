/** Query parameters of a URL as plain strings, as in the HTTP API. */
export type SearchParams = Readonly<Record<string, string>>;

/** Parses a query string. If a name occurs twice, the last value wins. */
export function parseSearch(query: string): SearchParams {
  return Object.fromEntries(new URLSearchParams(query));
}

/** Serializes query parameters, omitting empty values. */
export function writeSearch(params: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(params).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '',
  );
  const query = new URLSearchParams(entries).toString();
  return query === '' ? '' : `?${query}`;
}

/** The named parameters that have a value. */
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
