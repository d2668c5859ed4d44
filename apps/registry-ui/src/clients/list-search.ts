import { type SearchParams, writeSearch } from '../navigation/search-params.js';

/** What the address of the list says: search, filters and order, under the names that `GET /client` has for them. */
export type ListSearch = SearchParams;

/** What was changed last is what people come back for. */
export const DEFAULT_SORT = '-updated_at';

/** Parameters that are no filters. */
const NOT_FILTERS: readonly string[] = ['q', 'sort'];

/** A name that a field of a Client can have: whatever else stands in an address is not the list's. */
const PARAMETER = /^[a-z][a-z_]{0,63}$/;

/** Which parameters decide pages, and so cannot be told by an address. */
const OF_PAGES: readonly string[] = ['limit', 'cursor', 'count'];

export function readListSearch(params: Record<string, unknown>): ListSearch {
  const known = Object.entries(params).filter(
    (entry): entry is [string, string] =>
      PARAMETER.test(entry[0]) &&
      !OF_PAGES.includes(entry[0]) &&
      typeof entry[1] === 'string' &&
      entry[1] !== '',
  );
  return Object.fromEntries(known);
}

/** What `GET /client` is asked for: an address that names no order means the usual one. */
export function listParams(search: ListSearch): ListSearch & { readonly sort: string } {
  return { ...search, sort: search['sort'] ?? DEFAULT_SORT };
}

/** The filters among what an address says. */
export function filtersIn(search: ListSearch): readonly (readonly [string, string])[] {
  return Object.entries(search).filter(([name]) => !NOT_FILTERS.includes(name));
}

/** The search with one parameter set, or left out when the value is empty. */
export function withParam(search: ListSearch, name: string, value: string): ListSearch {
  const { [name]: _, ...others } = search;
  return value === '' ? others : { ...others, [name]: value };
}

/** The same search with everything but the order left out. */
export function withoutFilters({ sort }: ListSearch): ListSearch {
  return sort === undefined ? {} : { sort };
}

/** What `GET /clients/export` is asked for the same Clients with. */
export function exportQuery(search: ListSearch): string {
  const { sort: _, ...filters } = search;
  return writeSearch(filters);
}
