import { useCallback, useSyncExternalStore } from 'react';
import { formatRelativeTime, formatDateTime } from '../texts/times.js';

/** A moment as its distance from now; in full, and in the reader's zone, on pointing at it. */
export function RelativeTime({ at }: { readonly at: string }) {
  const time = new Date(at);
  const now = new Date(useNow());
  return (
    <time className="numeric" dateTime={at} title={formatDateTime(time)}>
      {formatRelativeTime(time, now)}
    </time>
  );
}

const MINUTE_MS = 60_000;

/**
 * The time, in milliseconds since 1970, as far as it matters to what is shown: what uses it is drawn anew at every
 * step, and not between.
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
