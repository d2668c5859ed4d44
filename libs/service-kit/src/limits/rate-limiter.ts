import type { Rate } from './rate.js';

/** Callers remembered at once; beyond, those that have been silent longest are forgotten, which favours them. */
const MAX_CALLERS = 10_000;

/**
 * Counts requests by caller with the generic cell rate algorithm (ITU-T I.371 annex A): one number per caller, the time
 * at which all it has taken will be paid off.
 */
export class RateLimiter {
  /** In the order of their last request. */
  private readonly paidOffAt = new Map<string, number>();
  private readonly costMs: number;

  constructor(private readonly rate: Rate) {
    this.costMs = rate.perMs / rate.count;
  }

  /**
   * @param nowMs any clock that does not go back
   * @returns 0 when the request may go on, else milliseconds until one may; a refused one costs nothing
   */
  take(caller: string, nowMs: number): number {
    const paidOffAt = Math.max(this.paidOffAt.get(caller) ?? 0, nowMs) + this.costMs;
    const waitMs = paidOffAt - nowMs - this.rate.perMs;
    // Sums of fractions: a caller within its rate must not be refused for their last digit.
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
