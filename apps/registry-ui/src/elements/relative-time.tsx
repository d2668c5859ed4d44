import { useCallback, useSyncExternalStore } from 'react';
import { formatRelativeTime, formatDateTime } from '../texts/times.js';
import { useShowsExactTimes } from './exact-times.js';

/** A time relative to now, or the exact time in the user's time zone; the tooltip has the full date. */
export function RelativeTime({ at }: { readonly at: string }) {
  const time = new Date(at);
  const now = new Date(useNow());
  const exact = useShowsExactTimes();
  return (
    <time className="numeric" dateTime={at} title={formatDateTime(time)}>
      {exact ? formatDateTime(time) : formatRelativeTime(time, now)}
    </time>
  );
}

const MINUTE_MS = 60_000;

/**
 * The current time in milliseconds since 1970, rounded down to `stepMs`: a component that uses it renders once per
 * step.
 */
export function useNow(stepMs: number = MINUTE_MS): number {
  const subscribe = useCallback(
    (tick: () => void) => {
      const timer = setInterval(tick, stepMs);
      return () => clearInterval(timer);
    },
    [stepMs],
  );
  return useSyncExternalStore(subscribe, () => Math.floor(Date.now() / stepMs) * stepMs);
}
