import { useCallback, useMemo, useSyncExternalStore } from 'react';
import { formatRelativeTime, formatDateTime } from '../texts/times.js';
import { useShowsExactTimes } from './exact-times.js';

/** A time relative to now, or the exact time in the user's time zone; the tooltip has the full date. */
export function RelativeTime({ at }: { readonly at: string }) {
  const clock = useClock();
  return (
    <time className="numeric" dateTime={at} title={formatDateTime(new Date(at))}>
      {timeOnClock(at, clock)}
    </time>
  );
}

/** What the text of a time depends on. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly exact: boolean;
}

export function useClock(): Clock {
  const now = useNow();
  const exact = useShowsExactTimes();
  return useMemo(() => ({ now, exact }), [now, exact]);
}

export function timeOnClock(at: string, { now, exact }: Clock): string {
  const time = new Date(at);
  return exact ? formatDateTime(time) : formatRelativeTime(time, new Date(now));
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
