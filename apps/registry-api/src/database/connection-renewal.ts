/** Connecting is expensive, and callers can cause renewals, even with positions that never existed. */
const LEAST_INTERVAL_MS = 1_000;
const MOST_INTERVAL_MS = 60_000;

/** Decides when all connections are replaced although they work. */
export class ConnectionRenewal {
  private renewedAt = -Infinity;
  private intervalMs = LEAST_INTERVAL_MS;

  /**
   * Marks all open connections for replacement. Renewals that do not help come at growing intervals.
   *
   * @param suspectedAt before the suspected connection was used: `performance.now()`
   * @returns false if all were replaced shortly before that
   */
  renew(suspectedAt: number): boolean {
    if (this.renewedAt >= suspectedAt) return true;
    const now = performance.now();
    if (now - this.renewedAt < this.intervalMs) return false;
    this.renewedAt = now;
    this.intervalMs = Math.min(2 * this.intervalMs, MOST_INTERVAL_MS);
    return true;
  }

  /** The last renewal replaced connections that needed it. */
  helped(): void {
    this.intervalMs = LEAST_INTERVAL_MS;
  }

  /** @param openedAt when connecting began: `performance.now()` */
  isFormer(openedAt: number): boolean {
    return openedAt < this.renewedAt;
  }
}
