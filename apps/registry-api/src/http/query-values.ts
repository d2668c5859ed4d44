import { Transform } from 'class-transformer';

/** In a query DTO: makes `true` and `false` booleans; other values stay, for validation to refuse. */
export const ToBoolean = () =>
  Transform(({ value }): unknown => (value === 'true' || value === 'false' ? value === 'true' : value));

/** In a query DTO: makes digits a number; `1e3`, `0x1`, `-1` and the empty string stay, for validation to refuse. */
export const ToInteger = () =>
  Transform(({ value }): unknown =>
    typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value,
  );

/** In a query DTO: makes a time a date; other values stay, for validation to refuse. */
export const ToInstant = () =>
  Transform(({ value }): unknown => (typeof value === 'string' ? (parseInstant(value) ?? value) : value));

/** For `IsDate`. */
export const INSTANT = { message: '$property must be a time such as 2026-11-21T08:00:00Z, or a day' };

/** RFC 3339 section 5.6, or a day, which begins at midnight in UTC. */
const INSTANT_FORMAT = /^(\d{4}-\d{2}-\d{2})([Tt]\d{2}:\d{2}:\d{2}(\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2}))?$/;

/** @returns the time, to the millisecond; undefined when the text is not one */
export function parseInstant(text: string): Date | undefined {
  const [, day] = INSTANT_FORMAT.exec(text) ?? [];
  if (day === undefined || !isDay(day)) return undefined;
  const time = new Date(text.toUpperCase());
  return Number.isNaN(time.getTime()) || time.getTime() < 0 ? undefined : time;
}

/** JavaScript reads 31 February as 3 March. */
function isDay(day: string): boolean {
  const time = new Date(day);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(day);
}
