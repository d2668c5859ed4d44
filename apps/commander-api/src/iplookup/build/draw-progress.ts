import type { BuildProgress } from '@svc/iplookup-core';
import { progressLine } from '../../command-line/progress-line.js';

/** Rates over a shorter time are meaningless. In milliseconds. */
const MEASURE_MS = 300;

/**
 * Draws how far a build has come.
 *
 * @param now a clock in milliseconds
 */
export function drawProgress(
  terminal: { write(text: string): unknown },
  now: () => number = () => performance.now(),
): { draw: (progress: BuildProgress) => void; clear: () => void } {
  const started = now();
  return progressLine(terminal, (progress) => progressText(progress, now() - started), now);
}

const PHASES: Readonly<Record<BuildProgress['phase'], string>> = {
  reading: 'reading',
  building: 'building the tree',
  writing: 'writing the file',
};

/** How far a build has come: bytes, rows a second, and how long the rest of the input will take. */
function progressText({ phase, bytesRead, bytesTotal, rows }: BuildProgress, elapsedMs: number): string {
  if (phase !== 'reading') return `${PHASES[phase]}, ${grouped(rows)} rows`;
  const done = bytesTotal === undefined || bytesTotal === 0 ? undefined : Math.min(1, bytesRead / bytesTotal);
  const share = done === undefined ? '' : ` of ${megabytes(bytesTotal!)} MB (${Math.floor(100 * done)} %)`;
  const parts = [`reading ${megabytes(bytesRead)}${share === '' ? ' MB' : share}`];
  if (elapsedMs >= MEASURE_MS) {
    parts.push(`${grouped(Math.round(rows / (elapsedMs / 1000)))} rows/s`);
    if (done !== undefined && done > 0) parts.push(`${duration((elapsedMs * (1 - done)) / done)} left`);
  }
  return parts.join(', ');
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(bytes < 10e6 ? 1 : 0);
}

function grouped(count: number): string {
  return count.toLocaleString('en-US');
}

function duration(milliseconds: number): string {
  const seconds = Math.max(1, Math.round(milliseconds / 1000));
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
