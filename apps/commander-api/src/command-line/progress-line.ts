import type { TextOutput } from './terminal.js';

const REDRAW_MS = 100;
const ERASE_LINE = '\r\u001b[K';

/**
 * One line on the terminal, redrawn in place.
 *
 * @param now a clock in milliseconds
 */
export function progressLine<Progress>(
  terminal: Pick<TextOutput, 'write'>,
  toText: (progress: Progress) => string,
  now: () => number = () => performance.now(),
): { draw: (progress: Progress) => void; clear: () => void } {
  let last = -Infinity;
  const draw = (progress: Progress): void => {
    if (now() - last < REDRAW_MS) return;
    last = now();
    terminal.write(`${ERASE_LINE}${toText(progress)}`);
  };
  return { draw, clear: () => terminal.write(ERASE_LINE) };
}
