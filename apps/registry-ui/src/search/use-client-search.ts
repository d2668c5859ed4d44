import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ClientDocument } from '@svc/client-metadata';
import type { ClientPage } from '../api/client-documents.js';
import { askBody } from '../api/request.js';

/** How long typing must pause before the registry is asked. */
export const PAUSE_MS = 200;

/** Enough to see whether more has to be typed. */
const MOST = 8;

/** What a search has found so far. */
export interface ClientSearch {
  readonly clients: readonly ClientDocument[];
  /** The answer to what is typed now has not come yet. */
  readonly searching: boolean;
  readonly error: Error | null;
}

/** Finds Clients by a part of their name, id or URIs while it is typed; an answer no longer wanted is cancelled. */
export function useClientSearch(typed: string): ClientSearch {
  const q = typed.trim();
  const [settled] = useDebouncedValue(q, PAUSE_MS);
  const { data, isFetching, error } = useQuery({
    queryKey: ['client-search', settled],
    queryFn: async ({ signal }) =>
      askBody<ClientPage>({ path: '/client', query: { q: settled, limit: MOST }, signal }),
    enabled: settled !== '',
    placeholderData: keepPreviousData,
  });
  return {
    clients: q === '' ? [] : (data?.clients ?? []),
    searching: q !== '' && (isFetching || settled !== q),
    error,
  };
}
