import type { SearchParams } from '../navigation/search-params.js';
import { searchedFor } from '../search/searched-for.js';

/** The list's search, filters and order in the URL, under the names used by `GET /client`. */
export type ListSearch = SearchParams;

/** Users usually look for what they changed last. */
export const DEFAULT_SORT = '-updated_at';

const NOT_FILTERS: readonly string[] = ['q', 'sort'];

/** Names that a client field can have, and the one that is negated; other parameters do not belong to the list. */
const PARAMETER = /^(?:[a-z][a-z_]{0,63}|label!)$/;

/** Pagination does not belong in a URL. */
const OF_PAGES: readonly string[] = ['limit', 'cursor', 'count'];

/** Filters with several values, separated by spaces, which labels cannot contain. */
const REPEATABLE: readonly string[] = ['label', 'label!'];

export function readListSearch(params: Record<string, unknown>): ListSearch {
  const known = Object.entries(params).filter(
    (entry): entry is [string, string] =>
      PARAMETER.test(entry[0]) &&
      !OF_PAGES.includes(entry[0]) &&
      typeof entry[1] === 'string' &&
      (entry[0] === 'q' ? searchedFor(entry[1]) : entry[1]) !== '',
  );
  return Object.fromEntries(known);
}

type ListParams = Readonly<Record<string, string | readonly string[]>>;

/** The parameters for `GET /client`, with the default order if the URL has none. */
export function listParams(search: ListSearch): ListParams & { readonly sort: string } {
  const params = Object.entries(search).map(([name, value]) => [
    name,
    REPEATABLE.includes(name) ? valuesOf(name, value) : value,
  ]);
  return { ...Object.fromEntries(params), sort: search['sort'] ?? DEFAULT_SORT };
}

/** Each filter and its value; a filter with several values occurs once for each. */
export function filtersIn(search: ListSearch): readonly (readonly [string, string])[] {
  return Object.entries(search)
    .filter(([name]) => !NOT_FILTERS.includes(name))
    .flatMap(([name, value]) => valuesOf(name, value).map((one) => [name, one] as const));
}

/** Sets a parameter, or removes it if the value is empty. */
export function withParam(search: ListSearch, name: string, value: string): ListSearch {
  const { [name]: _, ...others } = search;
  return value === '' ? others : { ...others, [name]: value };
}

/** Adds a filter, in place of its former value unless it takes several. */
export function withFilter(search: ListSearch, name: string, value: string): ListSearch {
  const others = REPEATABLE.includes(name) ? valuesOf(name, search[name]) : [];
  return withParam(search, name, [...new Set([...others, value])].join(' '));
}

export function withoutFilter(search: ListSearch, name: string, value: string): ListSearch {
  const others = valuesOf(name, search[name]).filter((other) => other !== value);
  return withParam(search, name, others.join(' '));
}

/** Keeps only the order. */
export function withoutFilters({ sort }: ListSearch): ListSearch {
  return sort === undefined ? {} : { sort };
}

/** The query string of `GET /clients/export` for the same clients. */
export function exportQuery(search: ListSearch): string {
  const { q = '' } = search;
  const pairs = [...(q === '' ? [] : [['q', q] as const]), ...filtersIn(search)];
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs.map((pair) => [...pair])).toString()}`;
}

function valuesOf(name: string, value: string | undefined): string[] {
  if (value === undefined || value === '') return [];
  return REPEATABLE.includes(name) ? value.split(' ').filter((one) => one !== '') : [value];
}
