import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { featuresQuery } from '../api/client-queries.js';
import { useDebouncedInput } from '../navigation/use-debounced-input.js';
import { searchedFor } from '../search/searched-for.js';
import { PAUSE_MS } from '../search/use-client-search.js';
import { filtersOf } from '../filters/filters.js';
import { type ListSearch, withFilter, withParam } from './list-search.js';
import { readTyped, withoutTypedFilters } from './typed-filters.js';

interface TypedSearchOptions {
  readonly search: ListSearch;
  /** `passing`: an intermediate search that gets no entry in the browser history. */
  readonly onChange: (search: ListSearch, passing: boolean) => void;
}

/** The content of the search box. Words are searched for when typing pauses; filters in it join the others. */
export function useTypedSearch({ search, onChange }: TypedSearchOptions) {
  const q = search['q'] ?? '';
  const [active, setActive] = useState(false);
  const { data: features } = useQuery({ ...featuresQuery, enabled: active || q.includes(':') });
  const filters = useMemo(() => filtersOf(features), [features]);
  // A filter may be complete before the one before it is in the URL.
  const latest = useRef(search);
  useEffect(() => {
    latest.current = search;
  }, [search]);
  const apply = (next: ListSearch, passing: boolean) => {
    latest.current = next;
    onChange(next, passing);
  };
  const { typed, change, settle } = useDebouncedInput({
    value: q,
    normalize: (next) => searchedFor(readTyped(next, filters).words),
    onSettled: (words) => apply(withParam(latest.current, 'q', words), true),
    pauseMs: PAUSE_MS,
  });
  const take = (next: string) => {
    const tail = lastWord(next);
    const head = next.slice(0, next.length - tail.length);
    const { filters: entries } = readTyped(head, filters);
    if (entries.length === 0) return change(next);
    apply(
      entries.reduce((former, [name, value]) => withFilter(former, name, value), latest.current),
      false,
    );
    change(withoutTypedFilters(head, filters) + tail);
  };
  return {
    typed,
    filters,
    /** The word that is being typed. */
    word: lastWord(typed),
    active,
    /** Loads the filters of this registry. */
    activate: () => setActive(true),
    /** Takes new content. Complete filters leave the box; the last word may still be growing. */
    take,
    settle,
  };
}

export function lastWord(typed: string): string {
  return /\S*$/u.exec(typed)?.[0] ?? '';
}
