import { setTimeout as sleep } from 'node:timers/promises';
import pg, { type PoolClient, type PoolConfig } from 'pg';
import { AddressedClient } from './addressed-client.js';
import { type Heartbeat, Heartbeats } from './heartbeats.js';
import { isConflictError, isConnectionError } from './database-errors.js';
import { PoolGrowth } from './pool-growth.js';
import { type Freshness, ReadContext, readContext } from './read-context.js';
import { setResponseTimeout } from './response-timeout.js';
import { hasUnparsedName } from './unparsed-names.js';

/** How old the data may be while the primary responds, in milliseconds. */
const MAX_AGE_MS: Readonly<Record<Freshness, number>> = { recent: 5_000, credentials: 1_000, current: 0 };

/** For the answer to a statement; after that the primary takes over. */
export const STANDBY_SILENCE_MS = 6_000;

/** For reading a standby's latest heartbeat, in milliseconds. */
const PROBE_TIMEOUT_MS = 500;

/** How often a read that waits for the primary checks whether that is away, in milliseconds. */
const AWAY_STEP_MS = 100;

/** How long the last known state of a connection's server counts, in milliseconds. */
const KNOWN_MS = 200;

/** How long a read waits until a standby has the change that the caller asked for, in milliseconds. */
const CATCH_UP_MS = 500;
const CATCH_UP_STEP_MS = 25;

/** How long no standby is tried after none could be reached, in milliseconds. */
const PAUSE_MS = 1_000;

/** A connection to a standby, and what it has. */
interface StandbyConnection {
  readonly client: PoolClient;
  readonly heartbeat: Heartbeat;
}

/**
 * Reads from standbys what a request may read there, and all else from the primary. Data never gets older within a request,
 * and its age is known: see `Heartbeats`.
 */
export class Standbys {
  private readonly pool: pg.Pool;
  private readonly growth: PoolGrowth;
  private readonly heartbeats: Heartbeats;
  private readonly known = new WeakMap<
    PoolClient,
    { readonly heartbeat: Heartbeat | undefined; readonly at: number }
  >();
  private pausedUntil = 0;

  /** @param staleCredentialsMs the maximum age of data that decides about credentials while the primary is away */
  constructor(
    options: PoolConfig,
    primary: Pick<pg.Pool, 'query'>,
    private readonly staleCredentialsMs: number,
  ) {
    this.pool = new pg.Pool(options);
    // The pool replaces the connection.
    this.pool.on('error', () => undefined);
    this.growth = new PoolGrowth(this.pool, async () => this.pool.connect());
    this.heartbeats = new Heartbeats(primary);
  }

  async start(): Promise<void> {
    await this.heartbeats.start();
  }

  async close(): Promise<void> {
    await this.heartbeats.close();
    await this.pool.end();
  }

  /** Whether the primary can be asked for what a standby lacks. */
  get canAskPrimary(): boolean {
    return !this.heartbeats.isPrimaryUnavailable;
  }

  /** True while the primary is away and a standby serves reads. */
  async isServingAlone(): Promise<boolean> {
    if (!this.heartbeats.isPrimaryUnavailable) return false;
    const connection = await this.connect(Infinity, new ReadContext('recent'));
    connection?.client.release();
    return connection !== undefined;
  }

  /**
   * Reads from a standby, if the current request may and one has what it must see; otherwise from the primary.
   *
   * @param freshness that of the request when absent. Reads that decide about credentials are independent of others
   */
  async read<T>(
    onStandby: (connection: Pick<PoolClient, 'query'>) => Promise<T>,
    onPrimary: () => Promise<T>,
    freshness?: Freshness,
  ): Promise<T> {
    const request = readContext.getStore();
    const isOther = freshness === 'credentials' && request && request.freshness !== freshness;
    const context = isOther ? new ReadContext(freshness) : request;
    const mayUseStandby = context !== undefined && (freshness ?? context.freshness) !== 'current';
    const early = mayUseStandby && (await this.tryStandby(context, onStandby));
    if (early) return early.result;
    const pending = onPrimary();
    while (mayUseStandby && (await this.isLeftWaiting(pending))) {
      const late = await this.tryStandby(context, onStandby);
      if (late) return late.result;
    }
    const result = await pending;
    context?.hasSeen(performance.now());
    return result;
  }

  /** @returns undefined if no standby has what is needed */
  private async tryStandby<T>(
    context: ReadContext,
    work: (connection: Pick<PoolClient, 'query'>) => Promise<T>,
  ): Promise<{ readonly result: T } | undefined> {
    const connection = await this.connectFor(context);
    if (!connection) return undefined;
    try {
      const result = await this.use(connection, work);
      context.hasReadStandby(connection.heartbeat.sentAt);
      return { result };
    } catch (error) {
      if (!isConnectionError(error) && !isConflictError(error)) throw error;
      return undefined;
    }
  }

  /** Waits for a read from the primary. @returns true if the primary goes away before it has answered */
  private async isLeftWaiting(pending: Promise<unknown>): Promise<boolean> {
    const isPending = (): boolean => true;
    const isSettled = (): boolean => false;
    const settled = pending.then(isSettled, isSettled);
    do {
      const step = new AbortController();
      const stepped = sleep(AWAY_STEP_MS, undefined, { ref: false, signal: step.signal }).then(
        isPending,
        isPending,
      );
      if (!(await Promise.race([settled, stepped]))) {
        step.abort();
        return false;
      }
    } while (!this.heartbeats.isPrimaryUnavailable);
    return true;
  }

  /**
   * The last change of the feed that all later reads of the current request see; undefined when those go to the primary.
   */
  async lastChange(): Promise<string | undefined> {
    const context = readContext.getStore();
    const connection = context && (await this.connectFor(context));
    connection?.client.release();
    if (!connection) return undefined;
    context.hasSeen(connection.heartbeat.sentAt);
    return connection.heartbeat.change.position;
  }

  private async connectFor(context: ReadContext): Promise<StandbyConnection | undefined> {
    const maxAgeMs = this.maxAge(context.freshness);
    return maxAgeMs === 0 ? undefined : this.connect(maxAgeMs, context);
  }

  private maxAge(freshness: Freshness): number {
    const maxAgeMs = MAX_AGE_MS[freshness];
    if (freshness === 'current' || !this.heartbeats.isPrimaryUnavailable) return maxAgeMs;
    return freshness === 'recent' ? Infinity : Math.max(maxAgeMs, this.staleCredentialsMs);
  }

  /** @returns undefined when no standby has what is needed, in time */
  private async connect(
    maxAgeMs: number,
    { notBefore, lastWrite, leastChange }: ReadContext,
  ): Promise<StandbyConnection | undefined> {
    const deadline = performance.now() + CATCH_UP_MS;
    for (;;) {
      const connection = await this.connectOnce();
      if (!connection) return undefined;
      const { client, heartbeat } = connection;
      const now = performance.now();
      const least = this.heartbeats.isPrimaryUnavailable ? notBefore : Math.max(notBefore, lastWrite);
      const isYoung = heartbeat.sentAt >= least && now - heartbeat.sentAt <= maxAgeMs;
      if (isYoung && heartbeat.change.seq >= leastChange) return connection;
      client.release();
      if (!isYoung || now > deadline) return undefined;
      await sleep(CATCH_UP_STEP_MS);
    }
  }

  private async connectOnce(): Promise<StandbyConnection | undefined> {
    if (performance.now() < this.pausedUntil) return undefined;
    try {
      const client = await this.growth.connect();
      if (client instanceof AddressedClient && client.isOutdated) {
        client.release(true);
        return undefined;
      }
      try {
        const heartbeat = await this.heartbeatOf(client);
        if (heartbeat) return { client, heartbeat };
      } catch (error) {
        client.release(error as Error);
        throw error;
      }
      client.release();
    } catch {
      this.pausedUntil = performance.now() + PAUSE_MS;
    }
    return undefined;
  }

  private async heartbeatOf(client: PoolClient): Promise<Heartbeat | undefined> {
    const known = this.known.get(client);
    if (known && performance.now() - known.at < KNOWN_MS) return known.heartbeat;
    const at = performance.now();
    // A server that is frozen must not hold up more than one read of each connection.
    setResponseTimeout(client, PROBE_TIMEOUT_MS);
    const heartbeat = await this.heartbeats.readFrom(client);
    setResponseTimeout(client, STANDBY_SILENCE_MS);
    this.known.set(client, { heartbeat, at });
    return heartbeat;
  }

  private async use<T>(
    { client }: StandbyConnection,
    work: (connection: PoolClient) => Promise<T>,
  ): Promise<T> {
    let broken: Error | undefined;
    // An error event without a listener ends the process.
    const onLost = (error: Error) => (broken = error);
    client.on('error', onLost);
    try {
      return await work(client);
    } catch (error) {
      if (isConnectionError(error)) broken = error as Error;
      throw error;
    } finally {
      client.off('error', onLost);
      client.release(broken ?? hasUnparsedName(client));
    }
  }
}
