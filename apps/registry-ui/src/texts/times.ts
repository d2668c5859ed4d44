import { LANGUAGE, text } from './text.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Beyond this age, a date is more useful than a distance. */
const RECENT = 7 * DAY;

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', DAY],
  ['hour', HOUR],
  ['minute', MINUTE],
];

const distances = new Intl.RelativeTimeFormat(LANGUAGE, { numeric: 'auto' });
const dates = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: 'medium' });
const clock = new Intl.DateTimeFormat(LANGUAGE, { timeStyle: 'short' });
const moments = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: 'medium', timeStyle: 'long' });

/** Date and time in the user's time zone. */
export function formatDateTime(time: Date): string {
  return moments.format(time);
}

/** The date in the user's time zone. */
export function formatDay(time: Date): string {
  return dates.format(time);
}

/** The time of a moment of today, the date of any other, in the user's time zone. */
export function formatMoment(time: Date, now: Date): string {
  return time.toDateString() === now.toDateString() ? clock.format(time) : formatDay(time);
}

/** Such as `today` or `7 days ago`. */
export function formatDaysAgo(days: number): string {
  return distances.format(-days, 'day');
}

/** A time relative to now, or its date beyond a week. */
export function formatRelativeTime(time: Date, now: Date): string {
  const distance = time.getTime() - now.getTime();
  if (Math.abs(distance) >= RECENT) return formatDay(time);
  const found = UNITS.find(([, length]) => Math.abs(distance) >= length);
  if (!found) return text('times.now');
  const [unit, size] = found;
  return distances.format(unit === 'day' ? daysBetween(now, time) : Math.trunc(distance / size), unit);
}

/** Calendar days in the user's time zone: what happened 30 hours ago may have been yesterday, or the day before. */
function daysBetween(from: Date, to: Date): number {
  const [start, end] = [from, to].map((time) => new Date(time).setHours(0, 0, 0, 0)) as [number, number];
  // A day with a change of the clock has 23 or 25 hours.
  return Math.round((end - start) / DAY);
}

const SPAN_UNITS: readonly (readonly [string, number])[] = [
  ['day', 24 * 60 * 60],
  ['hour', 60 * 60],
  ['minute', 60],
  ['second', 1],
];

const SHOWN_UNITS = 2;

/** A remaining duration in its two largest units, such as `23 hr 59 min`. */
export function formatTimeLeft(milliseconds: number): string {
  let left = Math.max(Math.floor(milliseconds / SECOND), 0);
  const parts = SPAN_UNITS.map(([unit, seconds]) => {
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
