import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';

/**
 * Text that is typed here and kept elsewhere, such as in the address: told once typing pauses, and replaced when it
 * changes there by other means, such as the browser's way back.
 *
 * @param value what is kept elsewhere
 */
export function useTyped(
  value: string,
  onSettled: (typed: string) => void,
  pauseMs: number,
): readonly [string, (typed: string) => void] {
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
    setTold(next);
    onSettled(next);
  }, pauseMs);
  const change = (next: string) => {
    setTyped(next);
    tell(next);
  };
  return [typed, change];
}
