import { useEffect } from 'react';
import { whenIdle } from './when-idle.js';

/** The first screen has priority. */
const PRELOAD_AFTER_MS = 1_000;

/** Preloads code that must be ready when needed. Failures are ignored, since whatever shows it loads it again. */
export function usePreloaded(load: () => Promise<unknown>): void {
  useEffect(() => {
    const preload = () => void load().catch(() => undefined);
    const timer = setTimeout(() => whenIdle(preload), PRELOAD_AFTER_MS);
    return () => clearTimeout(timer);
  }, [load]);
}
