import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import type { ClientDocument } from '../api/client-documents.js';
import { fetchBody } from '../api/request.js';
import { searchedFor } from './searched-for.js';

/** How long typing must pause before a request. */
export const PAUSE_MS = 200;

/** Enough to see whether to type more. */
const MAX_RESULTS = 8;

interface ClientSearch {
  readonly clients: readonly ClientDocument[];
  /** The response for the current input is pending. */
  readonly searching: boolean;
  readonly error: Error | null;
}

/** Finds clients by part of their name, id or URIs as the user types; obsolete requests are cancelled. */
export function useClientSearch(typed: string): ClientSearch {
  const q = searchedFor(typed);
  const [settled] = useDebouncedValue(q, PAUSE_MS);
  const { data, isFetching, error } = useQuery({
    queryKey: ['client-search', settled],
    queryFn: async ({ signal }) =>
      fetchBody({ path: '/client', query: { q: settled, limit: MAX_RESULTS }, signal }),
    enabled: settled !== '',
    placeholderData: keepPreviousData,
  });
  return {
    clients: q === '' ? [] : (data?.clients ?? []),
    searching: q !== '' && (isFetching || settled !== q),
    error,
  };
}

interface PendingEnter {
  ask(): void;
  /** Forgets a pending Enter: something else was typed. */
  cancel(): void;
}

/** Handles Enter when the results are ready: immediately, or as soon as they arrive. Call `cancel` on further typing. */
export function usePendingEnter(ready: boolean, act: () => void): PendingEnter {
  const [awaited, setAwaited] = useState(false);
  const actNow = useEffectEvent(act);
  useEffect(() => {
    if (awaited && ready) actNow();
  }, [awaited, ready]);
  return { ask: () => setAwaited(true), cancel: () => setAwaited(false) };
}
