import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';

/** Connections are replaced after about this time, in seconds: a pooler does not say whether replicas wait for one. */
const LIFETIME_S = 300;

/** While PostgreSQL has no connection left, each is given back after about this time, in milliseconds. */
const SCARCE_LIFETIME_MS = 10_000;

/** Otherwise, how often to check whether it has none left, in milliseconds. */
const LOOK_MS = 10_000;

/**
 * Whether PostgreSQL grants no more connections to anyone, to this role, or to this database. Sessions of clients have a user
 * and a database; only members of another role may see what kind its sessions are.
 */
const IS_SCARCE = `
  SELECT count(*) >= current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
      - coalesce(current_setting('reserved_connections', true)::int, 0)
    OR count(*) FILTER (WHERE usename = session_user) >=
      (SELECT nullif(rolconnlimit, -1) FROM pg_roles WHERE rolname = session_user)
    OR count(*) FILTER (WHERE datname = current_database()) >=
      (SELECT nullif(datconnlimit, -1) FROM pg_database WHERE datname = current_database())
    AS "isScarce"
  FROM pg_stat_activity WHERE usesysid IS NOT NULL AND datid IS NOT NULL`;

/** Between attempts to open one connection more, in milliseconds. */
const RAISE_MS = 1_000;

/** Between attempts to open the first connection, in milliseconds. */
const FIRST_PAUSE_MS = 100;

/** too_many_connections, also for the limits of a role or a database. */
const TOO_MANY = '53300';

/** PgBouncer's message when `max_client_conn` is reached. */
const POOLER_IS_FULL = /no more connections allowed/;

/** Whether the server, or a pooler, has no connection left. */
export function isTooManyConnections(error: unknown): boolean {
  const { code, message } = error as { readonly code?: unknown; readonly message?: string };
  return code === TOO_MANY || POOLER_IS_FULL.test(message ?? '');
}

/**
 * Adapts a pool to a server that grants fewer connections than the pool may open, as when `max_connections` is too low for all
 * replicas. Requests then take turns with the available connections. Those that others close are taken one by one; while none
 * are left, each is given back after a while, so that no replica goes without.
 */
export class ConnectionShare {
  private readonly wanted: number;
  private readonly openedAt = new WeakMap<object, number>();
  private raising: NodeJS.Timeout | undefined;
  private pausedUntil = 0;

  constructor(private readonly pool: Pool) {
    this.wanted = pool.options.max;
    // Connections that were opened together are not closed together.
    Object.defineProperty(pool.options, 'maxLifetimeSeconds', {
      get: () => LIFETIME_S * (0.5 + Math.random()),
    });
    pool.on('connect', (client) => this.openedAt.set(client, performance.now()));
    pool.on('remove', (client) => {
      const age = performance.now() - (this.openedAt.get(client) ?? Infinity);
      // For a moment, so that another replica can take it.
      if (age > 500 * LIFETIME_S) this.limit(this.pool.options.max - 1);
    });
    this.giveBackLater();
  }

  /** Resolves when it makes sense to ask the pool: while it has no connection, it asks the server only now and then. */
  async turn(): Promise<void> {
    while (this.pool.totalCount === 0 && performance.now() < this.pausedUntil) await sleep(FIRST_PAUSE_MS);
  }

  /** @returns whether the server refused a connection because it has too many: others may become free in time */
  notice(error: unknown): boolean {
    if (!isTooManyConnections(error)) return false;
    this.pausedUntil = performance.now() + FIRST_PAUSE_MS;
    this.limit(this.pool.totalCount);
    return true;
  }

  /** A larger share is given back sooner, so that shares become equal. */
  private giveBackLater(isScarce = false): void {
    const pause = isScarce ? SCARCE_LIFETIME_MS / Math.max(1, this.pool.totalCount) : LOOK_MS;
    setTimeout(() => void this.giveBack(), pause * (0.5 + Math.random())).unref();
  }

  private async giveBack(): Promise<void> {
    if (this.pool.ending) return;
    let isScarce = false;
    try {
      isScarce = this.pool.totalCount > 1 && (await this.isScarce());
      if (isScarce) {
        const client = await this.pool.connect();
        this.limit(this.pool.totalCount - 1);
        client.release(true);
      }
    } catch {
      // Requests meet the same error, and report it.
    }
    this.giveBackLater(isScarce);
  }

  private async isScarce(): Promise<boolean> {
    const { rows } = await this.pool.query<{ readonly isScarce: boolean | null }>(IS_SCARCE);
    return rows[0]?.isScarce === true;
  }

  private limit(connections: number): void {
    this.pool.options.max = Math.max(1, connections);
    this.raising ??= setInterval(() => this.raise(), RAISE_MS).unref();
  }

  private raise(): void {
    if (this.pool.options.max < this.wanted) this.pool.options.max += 1;
    if (this.pool.options.max < this.wanted && !this.pool.ending) return;
    clearInterval(this.raising);
    this.raising = undefined;
  }
}
