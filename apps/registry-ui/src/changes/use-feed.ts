import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type FeedState, followChanges } from './follow-changes.js';
import { type FeedChange, recentChangesQuery } from './recent-changes.js';

/** How many changes from before are shown to begin with. */
const FROM_BEFORE = 50;

/** More would only be scrolled past. */
const MOST_KEPT = 500;

/** The feed as it is shown. */
export interface Feed {
  /** The latest first; nothing until the first have come. */
  readonly changes: readonly FeedChange[] | undefined;
  readonly state: FeedState | 'paused';
  readonly error: Error | null;
}

/** Follows the changes of all Clients while the screen is open, unless it is paused. */
export function useFeed(paused: boolean): Feed {
  const { data, error } = useQuery({ ...recentChangesQuery(FROM_BEFORE), refetchOnWindowFocus: false });
  const [fresh, setFresh] = useState<readonly FeedChange[]>([]);
  const [state, setState] = useState<FeedState>('connecting');
  const since = fresh[0]?.seq ?? data?.lastSeq;
  const ready = since !== undefined && !paused;
  useEffect(() => {
    if (!ready) return undefined;
    const ending = new AbortController();
    const onChange = (change: FeedChange) => setFresh((former) => [change, ...former].slice(0, MOST_KEPT));
    void followChanges(since, { onChange, onState: setState }, ending.signal);
    return () => ending.abort();
    // Where the stream begins matters when it is opened; from then on it keeps its place itself.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [ready]);
  const before = data?.changes.filter(({ seq }) => seq < (fresh.at(-1)?.seq ?? Infinity));
  return { changes: before && [...fresh, ...before], state: paused ? 'paused' : state, error };
}
