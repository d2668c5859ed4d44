import type { RuleViolation } from '@svc/foundation';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

/** Seconds per unit, by each of the unit's names. */
const SECONDS_IN: ReadonlyMap<string, number> = new Map([
  ...named(1, 's', 'second'),
  ...named(MINUTE, 'm', 'minute'),
  ...named(HOUR, 'h', 'hour'),
  ...named(DAY, 'd', 'day'),
  ...named(7 * DAY, 'w', 'week'),
  ...named(YEAR, 'y', 'year'),
]);

export const MIN_SESSION_SECONDS = 1;
/** Ten years of 365 days. */
export const MAX_SESSION_SECONDS = 10 * YEAR;

const UNITS = [...SECONDS_IN.keys()].join('|');

/** The text form of session_expiration; without a unit, the number is in seconds. */
export const DURATION_PATTERN = `^[0-9]{1,15}(\\.[0-9]{1,9})? ?(${UNITS})?$`;

const DURATION = new RegExp(DURATION_PATTERN);

const WRITTEN =
  'must be a number of seconds, or a number and a unit as in 12h; units: s, m (minute), h, d, w, y (365 days), or their full names';

/**
 * Reads a session expiration.
 *
 * @returns seconds with millisecond precision, from 1 s to 10 years of 365 days, or the violation
 */
export function parseSessionExpiration(value: unknown): number | RuleViolation {
  const seconds = typeof value === 'string' ? secondsIn(value) : value;
  if (typeof seconds !== 'number' || Number.isNaN(seconds)) return { code: 'duration', message: WRITTEN };
  if (seconds < MIN_SESSION_SECONDS) {
    return { code: 'duration_too_short', message: 'must be at least 1 second' };
  }
  if (seconds > MAX_SESSION_SECONDS) {
    return { code: 'duration_too_long', message: 'must be at most 10 years (315360000 seconds)' };
  }
  return Math.round(seconds * 1000) / 1000;
}

function secondsIn(text: string): number | undefined {
  const [, , unit = 's'] = DURATION.exec(text) ?? [];
  return DURATION.test(text) ? Number.parseFloat(text) * (SECONDS_IN.get(unit) ?? Number.NaN) : undefined;
}

function named(seconds: number, letter: string, word: string): [string, number][] {
  return [letter, word, `${word}s`].map((name) => [name, seconds]);
}
