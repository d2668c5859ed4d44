import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';

/** Connections are replaced after this time, so that replicas that start later get a share, in seconds. */
const LIFETIME_S = 30;

/** Between attempts to open one connection more, in milliseconds. */
const RAISE_MS = 1_000;

/** Between attempts to open the first connection, in milliseconds. */
const FIRST_PAUSE_MS = 100;

/** too_many_connections, which is also what a role's or a database's own limit is called. */
const TOO_MANY = '53300';

/** PgBouncer's words when `max_client_conn` is reached. */
const POOLER_IS_FULL = /no more connections allowed/;

/** Whether the server, or a pooler, has no connection left. */
export function isTooManyConnections(error: unknown): boolean {
  const { code, message } = error as { readonly code?: unknown; readonly message?: string };
  return code === TOO_MANY || POOLER_IS_FULL.test(message ?? '');
}

/**
 * Adapts a pool to a server that grants fewer connections than the pool may open, as when `max_connections` is too low for all
 * replicas. Requests then take turns with the connections that there are. What others close is taken one by one, and each
 * connection is given back after a while, so that none of several replicas goes without.
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
  }

  /** Resolves when it makes sense to ask the pool: as long as it has no connection, it asks the server now and then only. */
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
