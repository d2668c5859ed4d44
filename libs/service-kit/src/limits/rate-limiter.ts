/** `count` requests per `perMs`. Unused ones accumulate up to `count`, so that a caller may send that many at once. */
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

/** Callers remembered; beyond, the least recently active are forgotten, which resets their rate. */
const MAX_CALLERS = 10_000;

/**
 * Counts requests by caller with the generic cell rate algorithm (ITU-T I.371 annex A), which needs one number per caller: the
 * time at which everything it has used will be paid off.
 */
export class RateLimiter {
  /** Ordered by last request. */
  private readonly paidOffAt = new Map<string, number>();
  private readonly costMs: number;

  constructor(private readonly rate: Rate) {
    this.costMs = rate.perMs / rate.count;
  }

  /**
   * @param nowMs of a monotonic clock
   * @returns 0 if the request is allowed, else milliseconds until one would be; refused requests cost nothing
   */
  take(caller: string, nowMs: number): number {
    const paidOffAt = Math.max(this.paidOffAt.get(caller) ?? 0, nowMs) + this.costMs;
    const waitMs = paidOffAt - nowMs - this.rate.perMs;
    // Allows for rounding: a caller within its rate must not be refused for the last digit of a sum.
    if (waitMs > this.costMs * 1e-6) return waitMs;
    this.paidOffAt.delete(caller);
    this.paidOffAt.set(caller, paidOffAt);
    if (this.paidOffAt.size > MAX_CALLERS) this.forgetOldest();
    return 0;
  }

  private forgetOldest(): void {
    const [oldest] = this.paidOffAt.keys();
    if (oldest !== undefined) this.paidOffAt.delete(oldest);
  }
}
