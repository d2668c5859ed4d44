import { useDebouncedCallback } from '@mantine/hooks';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

interface DebouncedInputOptions {
  /** The value stored elsewhere, such as in the URL. */
  readonly value: string;
  /** Normalizes what is typed before it is stored. */
  readonly normalize?: (typed: string) => string;
  /** Called with the value to store when typing pauses or `settle` is called. */
  readonly onSettled: (kept: string) => void;
  readonly pauseMs: number;
}

interface DebouncedInput {
  readonly typed: string;
  readonly change: (typed: string) => void;
  /** Stores what was typed without waiting. */
  readonly settle: () => void;
}

/**
 * Input that is stored elsewhere: reported when typing pauses, and replaced when the stored value changes by other means,
 * such as the browser's Back button. A pending value is dropped when another screen opens, since reporting it would
 * navigate back here.
 */
export function useDebouncedInput({
  value,
  normalize: toKept = (typed) => typed,
  onSettled,
  pauseMs,
}: DebouncedInputOptions): DebouncedInput {
  const [typed, setTyped] = useState(value);
  const [seen, setSeen] = useState(value);
  const [reported, setReported] = useState(value);
  if (value !== seen) {
    setSeen(value);
    setReported(value);
    // The reported value comes back; more may have been typed since.
    if (value !== reported) setTyped(value);
  }
  const report = useDebouncedCallback((next: string) => {
    const kept = toKept(next);
    // It may have been replaced meanwhile, or already be stored.
    if (next !== typed || kept === value) return;
    setReported(kept);
    onSettled(kept);
  }, pauseMs);
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onBeforeNavigate', ({ pathChanged }) => {
        if (pathChanged) report.cancel();
      }),
    [router, report],
  );
  const change = (next: string) => {
    setTyped(next);
    report(next);
  };
  return { typed, change, settle: () => report.flush() };
}
