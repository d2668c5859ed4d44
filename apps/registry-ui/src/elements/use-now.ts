import { useCallback, useSyncExternalStore } from 'react';

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
