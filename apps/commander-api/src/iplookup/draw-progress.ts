import type { BuildProgress } from '@svc/iplookup-core';

const REDRAW_MS = 100;
const CLEAR_LINE = '\r\u001b[K';

/** One line on the terminal, redrawn in place. */
export function drawProgress(terminal: { write(text: string): unknown }): {
  draw: (progress: BuildProgress) => void;
  clear: () => void;
} {
  let last = 0;
  const draw = ({ phase, bytesRead, bytesTotal }: BuildProgress): void => {
    if (Date.now() - last < REDRAW_MS) return;
    last = Date.now();
    const share = bytesTotal
      ? ` ${Math.floor((100 * bytesRead) / bytesTotal)} %`
      : ` ${toMegabytes(bytesRead)} MB`;
    terminal.write(`${CLEAR_LINE}${phase}${phase === 'reading' ? share : ''}`);
  };
  return { draw, clear: () => terminal.write(CLEAR_LINE) };
}

function toMegabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(0);
}
