/** So many requests in so long. Unused ones are saved up to `count`, so that a caller may ask for as many at once. */
export interface Rate {
  readonly count: number;
  readonly perMs: number;
}

/** Milliseconds per unit. */
const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };

const RATE = /^([1-9]\d{0,8})\/([smh])$/;

/**
 * Reads `100/s`, `600/m`, `1000/h` or `off`.
 *
 * @returns null for `off`
 * @throws {RangeError} for anything else
 */
export function parseRate(text: string): Rate | null {
  if (text === 'off') return null;
  const [, count, unit = ''] = RATE.exec(text) ?? [];
  const perMs = UNITS[unit];
  if (perMs === undefined) throw new RangeError('must be a rate such as 100/s, 600/m or 1000/h, or off');
  return { count: Number(count), perMs };
}
