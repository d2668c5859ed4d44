import { LANGUAGE } from './text.js';

const SECOND_MS = 1000;

const UNITS: readonly (readonly [string, number])[] = [
  ['day', 24 * 60 * 60],
  ['hour', 60 * 60],
  ['minute', 60],
  ['second', 1],
];

/** How many units say enough. */
const SHOWN_UNITS = 2;

/** What is left of a span of time, in its two largest units, such as `23 hr 59 min`. */
export function formatLeft(milliseconds: number): string {
  let left = Math.max(Math.floor(milliseconds / SECOND_MS), 0);
  const parts = UNITS.map(([unit, seconds]) => {
    const count = Math.floor(left / seconds);
    left -= count * seconds;
    return { unit, count };
  });
  const first = parts.findIndex(({ count }) => count > 0);
  const shown = first === -1 ? parts.slice(-1) : parts.slice(first, first + SHOWN_UNITS);
  return shown.map(({ unit, count }) => formatUnit(unit, count)).join(' ');
}

function formatUnit(unit: string, count: number): string {
  return new Intl.NumberFormat(LANGUAGE, { style: 'unit', unit, unitDisplay: 'short' }).format(count);
}
