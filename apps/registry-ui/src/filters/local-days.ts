import { formatDay, formatDateTime } from '../texts/times.js';

const TWO_DIGITS = 2;
const YEAR_DIGITS = 4;

/**
 * The start of a day in the user's time zone, as RFC 3339 in UTC.
 *
 * @param day as in date inputs, such as 2026-11-21
 * @returns `undefined` for an invalid date, and before 1970: such years occur while one is typed
 */
export function startOfDay(day: string): string | undefined {
  const time = new Date(`${day}T00:00:00`);
  return time.getTime() >= 0 ? time.toISOString().replace('.000Z', 'Z') : undefined;
}

/** The local day of an instant, as in date inputs; empty if invalid. */
export function dayOf(instant: string): string {
  const time = new Date(instant);
  if (Number.isNaN(time.getTime())) return '';
  const [year, month, day] = [time.getFullYear(), time.getMonth() + 1, time.getDate()].map(String);
  return [
    year?.padStart(YEAR_DIGITS, '0'),
    month?.padStart(TWO_DIGITS, '0'),
    day?.padStart(TWO_DIGITS, '0'),
  ].join('-');
}

/** An instant for display: only the day if it is local midnight. */
export function describeInstant(instant: string): string {
  const time = new Date(instant);
  if (Number.isNaN(time.getTime())) return instant;
  const begins = startOfDay(dayOf(instant));
  return begins !== undefined && Date.parse(begins) === time.getTime()
    ? formatDay(time)
    : formatDateTime(time);
}
