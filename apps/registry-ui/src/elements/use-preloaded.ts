import { useEffect } from 'react';

/** The first screen loads before. */
const PRELOAD_AFTER_MS = 1_000;

/** Loads what may be needed at once later; whatever shows it loads it again if that failed. */
export function usePreloaded(load: () => Promise<unknown>): void {
  useEffect(() => {
    const timer = setTimeout(() => void load().catch(() => undefined), PRELOAD_AFTER_MS);
    return () => clearTimeout(timer);
  }, [load]);
}
