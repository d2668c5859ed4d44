import { useDebouncedCallback } from '@mantine/hooks';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

interface DebouncedInputOptions {
  /** What is kept elsewhere, such as in the address. */
  readonly value: string;
  /** What is kept of what is typed; all of it when left out. */
  readonly normalize?: (typed: string) => string;
  /** Called with what is to be kept once typing has paused, or was ended. */
  readonly onSettled: (kept: string) => void;
  readonly pauseMs: number;
}

interface DebouncedInput {
  readonly typed: string;
  readonly change: (typed: string) => void;
  /** Settles what was typed without a pause. */
  readonly settle: () => void;
}

/**
 * Text that is typed here and kept elsewhere: told once typing pauses, and replaced when it changes there by other
 * means, such as the browser's way back. What has not settled when another screen is opened is dropped: telling it then
 * would lead back here.
 */
export function useDebouncedInput({
  value,
  normalize: toKept = (typed) => typed,
  onSettled,
  pauseMs,
}: DebouncedInputOptions): DebouncedInput {
  const [typed, setTyped] = useState(value);
  const [seen, setSeen] = useState(value);
  const [told, setTold] = useState(value);
  if (value !== seen) {
    setSeen(value);
    setTold(value);
    // What was told comes back; more may have been typed meanwhile.
    if (value !== told) setTyped(value);
  }
  const tell = useDebouncedCallback((next: string) => {
    const kept = toKept(next);
    // It may have been replaced meanwhile, or be kept already.
    if (next !== typed || kept === value) return;
    setTold(kept);
    onSettled(kept);
  }, pauseMs);
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onBeforeNavigate', ({ pathChanged }) => {
        if (pathChanged) tell.cancel();
      }),
    [router, tell],
  );
  const change = (next: string) => {
    setTyped(next);
    tell(next);
  };
  return { typed, change, settle: () => tell.flush() };
}
