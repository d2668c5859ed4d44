import { formatDay, formatDateTime } from '../texts/times.js';

const TWO_DIGITS = 2;
const YEAR_DIGITS = 4;

/**
 * The midnight that a day of the reader's begins with, as RFC 3339 in UTC.
 *
 * @param day as inputs of dates write it, such as 2026-11-21
 * @returns nothing for a day before 1970, such as there are on the way to the year that is meant, and for none at all
 */
export function startOfDay(day: string): string | undefined {
  const time = new Date(`${day}T00:00:00`);
  return time.getTime() >= 0 ? time.toISOString().replace('.000Z', 'Z') : undefined;
}

/** The reader's day that an instant falls on, as inputs of dates write it; empty for what is no instant. */
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

/** An instant for the reader: the day alone where it begins then. */
export function describeInstant(instant: string): string {
  const time = new Date(instant);
  if (Number.isNaN(time.getTime())) return instant;
  const begins = startOfDay(dayOf(instant));
  return begins !== undefined && Date.parse(begins) === time.getTime()
    ? formatDay(time)
    : formatDateTime(time);
}
