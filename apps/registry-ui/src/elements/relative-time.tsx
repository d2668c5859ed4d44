import { useSyncExternalStore } from 'react';
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
  return useSyncExternalStore(tickerOf(stepMs), () => Math.floor(Date.now() / stepMs) * stepMs);
}

type Subscribe = (tick: () => void) => () => void;

/** By step. */
const tickers = new Map<number, Subscribe>();

function tickerOf(stepMs: number): Subscribe {
  const ticker = tickers.get(stepMs) ?? createTicker(stepMs);
  tickers.set(stepMs, ticker);
  return ticker;
}

/** One timer for all who follow it: a list shows many times. */
function createTicker(stepMs: number): Subscribe {
  const ticks = new Set<() => void>();
  let timer: ReturnType<typeof setInterval> | undefined;
  return (tick) => {
    ticks.add(tick);
    timer ??= setInterval(() => ticks.forEach((each) => each()), stepMs);
    return () => {
      ticks.delete(tick);
      if (ticks.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    };
  };
}
