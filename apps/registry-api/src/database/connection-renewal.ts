import type { ClientBase } from 'pg';

/** Connecting is expensive, and callers may cause renewals. */
const INTERVAL_MS = 1_000;

/** Finds connections that are to be replaced although they work. */
export class ConnectionRenewal {
  private readonly openedAt = new WeakMap<ClientBase, number>();
  private renewedAt = -Infinity;

  /** A connection was opened. */
  opened(client: ClientBase): void {
    this.openedAt.set(client, performance.now());
  }

  /**
   * From now on earlier connections are former ones.
   *
   * @param suspectedAt when one was used that is to be replaced
   * @returns false if all were replaced shortly before that
   */
  renew(suspectedAt: number): boolean {
    if (this.renewedAt >= suspectedAt) return true;
    const now = performance.now();
    if (now - this.renewedAt < INTERVAL_MS) return false;
    this.renewedAt = now;
    return true;
  }

  isFormer(client: ClientBase): boolean {
    return (this.openedAt.get(client) ?? Infinity) < this.renewedAt;
  }
}
