import { useEffect } from 'react';
import { whenIdle } from './when-idle.js';

/** The first screen loads before. */
const PRELOAD_AFTER_MS = 1_000;

/** Loads what may be needed at once later; whatever shows it loads it again if that failed. */
export function usePreloaded(load: () => Promise<unknown>): void {
  useEffect(() => {
    const preload = () => void load().catch(() => undefined);
    const timer = setTimeout(() => whenIdle(preload), PRELOAD_AFTER_MS);
    return () => clearTimeout(timer);
  }, [load]);
}
