import { type SearchParams, writeSearch } from '../navigation/search-params.js';

/** The list's search, filters and order in the URL, under the names used by `GET /client`. */
export type ListSearch = SearchParams;

/** Users usually look for what they changed last. */
export const DEFAULT_SORT = '-updated_at';

const NOT_FILTERS: readonly string[] = ['q', 'sort'];

/** Names that a client field can have; other parameters do not belong to the list. */
const PARAMETER = /^[a-z][a-z_]{0,63}$/;

/** Pagination does not belong into a URL. */
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

/** The parameters for `GET /client`, with the default order if the URL has none. */
export function listParams(search: ListSearch): ListSearch & { readonly sort: string } {
  return { ...search, sort: search['sort'] ?? DEFAULT_SORT };
}

export function filtersIn(search: ListSearch): readonly (readonly [string, string])[] {
  return Object.entries(search).filter(([name]) => !NOT_FILTERS.includes(name));
}

/** Sets a parameter, or removes it if the value is empty. */
export function withParam(search: ListSearch, name: string, value: string): ListSearch {
  const { [name]: _, ...others } = search;
  return value === '' ? others : { ...others, [name]: value };
}

/** Keeps only the order. */
export function withoutFilters({ sort }: ListSearch): ListSearch {
  return sort === undefined ? {} : { sort };
}

/** The query string of `GET /clients/export` for the same clients. */
export function exportQuery(search: ListSearch): string {
  const { sort: _, ...filters } = search;
  return writeSearch(filters);
}
