import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ClientDocument } from '@svc/client-metadata';
import { useEffect, useEffectEvent, useState } from 'react';
import type { ClientPage } from '../api/client-documents.js';
import { fetchBody } from '../api/request.js';

/** How long typing must pause before the registry is asked. */
export const PAUSE_MS = 200;

/** Enough to see whether more has to be typed. */
const MAX_RESULTS = 8;

/** What a search has found so far. */
interface ClientSearch {
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
      fetchBody<ClientPage>({ path: '/client', query: { q: settled, limit: MAX_RESULTS }, signal }),
    enabled: settled !== '',
    placeholderData: keepPreviousData,
  });
  return {
    clients: q === '' ? [] : (data?.clients ?? []),
    searching: q !== '' && (isFetching || settled !== q),
    error,
  };
}

/** An Enter that may come before the answer it is meant for. */
interface PendingEnter {
  ask(): void;
  /** What was asked for no longer counts: something else was typed. */
  cancel(): void;
}

/** Does what Enter asks for: at once when the answer is there, else as soon as it has come. Typing on is to cancel it. */
export function usePendingEnter(ready: boolean, act: () => void): PendingEnter {
  const [awaited, setAwaited] = useState(false);
  const actNow = useEffectEvent(act);
  useEffect(() => {
    if (awaited && ready) actNow();
  }, [awaited, ready]);
  return { ask: () => setAwaited(true), cancel: () => setAwaited(false) };
}
