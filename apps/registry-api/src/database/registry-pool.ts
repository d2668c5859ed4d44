import { activeCallers } from '@svc/service-kit';
import pg, { type ClientBase, type ClientConfig, type PoolClient, type PoolConfig } from 'pg';
import type { Logger } from 'pino';
import { AddressedClient, isRejectedLogin } from './addressed-client.js';
import type { ConnectionAttempts } from './connection-attempts.js';
import { ConnectionRenewal } from './connection-renewal.js';
import { ConnectionShare } from './connection-share.js';
import { DatabaseUnavailableError } from './database-errors.js';
import { Outage } from './outage.js';
import { EXHAUSTED, PoolGrowth } from './pool-growth.js';
import type { Pooling } from './pooling.js';
import { Semaphore } from './semaphore.js';
import { SESSION_OPTIONS, SessionCheck } from './session-check.js';
import type { Standbys } from './standbys.js';
import { TakeoverWatch } from './takeover-watch.js';
import { isRefusedParameter, type TimeLimit } from './time-limit.js';
import { UriChange } from './uri-change.js';
import { WriteOutage } from './write-outage.js';

/** A connection that was idle for longer is verified before it is used again. */
const TRUSTED_IDLE_MS = 1_000;

/** How long a write, or a search, waits until others have finished. */
const WAIT_MS = 5_000;

/** The part of all connections that one of several callers may use for writes, and for searches: both keep PostgreSQL busy. */
const PART_PER_OWNER = 1 / 16;

/** Within this time a request that was served shows that the database responds. */
const JUST_MS = 250;

/** A connection was lost, or led to a read-only server, when it was about to be used again. */
class StaleConnectionError extends Error {
  override readonly name = 'StaleConnectionError';
}

/**
 * Connections to the server that takes writes. After a failover an address may lead to a standby for a while, or a
 * pooler may have moved a connection there: a connection is verified when it opens and when it was idle, and one that
 * leads to a read-only server is closed. Without this, such connections would stay in use and fail every write.
 *
 * Writes take at most half of the connections that PostgreSQL grants, so that reads go on while commits wait for a frozen standby.
 * So do searches, which may take long. In both, callers take turns, and each gets a smaller share while there are several.
 */
export class RegistryPool extends pg.Pool {
  private readonly releasedAt = new WeakMap<ClientBase, number>();
  private readonly writers: Semaphore;
  private readonly searchers: Semaphore;
  private readonly outage: Outage;
  private readonly writeOutage: WriteOutage;
  private readonly share: ConnectionShare | undefined;
  private readonly growth: PoolGrowth;
  private lastReleasedAt = -Infinity;
  private readonly check: SessionCheck;
  private readonly renewal = new ConnectionRenewal();
  private readonly uriChange: UriChange | undefined;
  /** Where requests may read; undefined: only here. Set while the database is opened. */
  standbys: Standbys | undefined;

  /** @param attempts which servers to connect to; that of `options` when absent
   * @param listenAttempts where notifications are received */
  constructor(
    options: PoolConfig,
    logger: Logger,
    private readonly attempts?: ConnectionAttempts,
    private readonly listenAttempts = attempts,
  ) {
    super({ ...options, ...(attempts && { Client: clientOf(attempts) }) });
    this.writers = this.halfOfConnections();
    this.searchers = this.halfOfConnections();
    this.check = new SessionCheck(this.options, attempts);
    this.growth = new PoolGrowth(this, async () => this.take());
    if (attempts !== undefined) {
      this.share = new ConnectionShare(this);
      this.watchTakeovers();
    }
    this.outage = new Outage(
      { began: 'the database is unavailable', ended: 'the database is available again' },
      logger,
    );
    this.writeOutage = new WriteOutage(this, logger);
    this.uriChange = attempts && new UriChange(attempts, SESSION_OPTIONS, logger);
    this.on('release', (error: Error | boolean | undefined, client: PoolClient) => {
      if (error) return;
      this.lastReleasedAt = performance.now();
      this.releasedAt.set(client, this.lastReleasedAt);
      this.outage.succeeded();
    });
  }

  /** False while writes fail although the server answers, as when the standbys that commits wait for are frozen. */
  get isWritable(): boolean {
    return !this.writeOutage.isOngoing;
  }

  /** Requests that wait for a connection. */
  get waitingRequests(): number {
    return this.waitingCount + this.growth.waitingRequests;
  }

  /** Whether requests wait for connections, and are served one after the other: the database responds. */
  get isBusy(): boolean {
    return this.waitingRequests > 0 && performance.now() - this.lastReleasedAt < JUST_MS;
  }

  /** Whether this is a PostgreSQL server, which other processes may use; false for the embedded database. */
  get isShared(): boolean {
    return this.attempts !== undefined;
  }

  /** What limits the time of statements, as last seen. */
  get timeLimit(): TimeLimit {
    return this.check.timeLimit;
  }

  /** As last seen. @throws {UnsupportedDatabaseError} */
  async pooling(): Promise<Pooling> {
    return this.check.pooling();
  }

  /** How many listeners it takes until every server was tried. */
  get listenAttemptCount(): number {
    return this.listenAttempts?.count ?? 1;
  }

  /**
   * A new session beside the pool, for LISTEN; not yet connected.
   *
   * @throws {Error} on the embedded database, which has one session only
   */
  createListener(options: ClientConfig): AddressedClient {
    if (this.listenAttempts === undefined) throw new Error('the embedded database has only one session');
    return new AddressedClient(options, this.listenAttempts);
  }

  /**
   * Replaces all connections, because one seems to lead to a former primary.
   *
   * @param suspectedAt before the suspected connection was used: `performance.now()`
   * @returns false if they were replaced shortly before, or if this is the embedded database
   */
  renew(suspectedAt: number): boolean {
    return this.isShared && this.renewal.renew(suspectedAt);
  }

  /** What failed before {@link renew} succeeded after it. */
  renewalHelped(): void {
    this.renewal.helped();
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<PoolClient> | void {
    const connection = this.connectVerified();
    if (callback === undefined) return connection;
    connection.then(
      (client) => callback(undefined, client, client.release),
      (error: Error) => callback(error, undefined, () => undefined),
    );
  }

  /**
   * Runs work that writes, when its turn comes.
   *
   * @param owner whose turn it must be: the caller, where it is known
   * @throws {SemaphoreTimeoutError} when earlier writes take too long
   */
  async write<T>(work: () => Promise<T>, owner?: string): Promise<T> {
    return this.writers.run(async () => this.writeOutage.watch(work), owner);
  }

  /** The same for work that only reads, but a lot. */
  async search<T>(work: () => Promise<T>, owner?: string): Promise<T> {
    return this.searchers.run(work, owner);
  }

  private halfOfConnections(): Semaphore {
    const part = (share: number) => Math.max(1, Math.floor(this.options.max * share));
    const ofOwner = () => part(activeCallers.areSeveral ? PART_PER_OWNER : 1 / 2);
    return new Semaphore({ all: () => part(1 / 2), ofOwner, waitMs: WAIT_MS });
  }

  private async connectVerified(): Promise<PoolClient> {
    const begunAt = performance.now();
    try {
      let attemptsLeft = this.attempts?.count ?? 1;
      let reason: unknown;
      const deadline = begunAt + (this.options.connectionTimeoutMillis ?? 0);
      for (;;) {
        try {
          return await this.connectOnce();
        } catch (error) {
          if (this.share?.notice(error) && performance.now() < deadline) continue;
          if (isRefusedParameter(error) && 'statement_timeout' in this.options) {
            delete this.options.statement_timeout;
            continue;
          }
          // An idle connection that was lost says nothing about the server, unless finding out took too long.
          if (!(error instanceof StaleConnectionError) || performance.now() > deadline) attemptsLeft -= 1;
          if (reason === undefined || !isUnencryptedServer(error)) reason = error;
          const isOver = isRejectedLogin(error) && this.attempts?.isFormerNext !== true;
          if (attemptsLeft === 0 || isOver || isPoolExhausted(error)) throw reason;
        }
      }
    } catch (error) {
      this.outage.failed(error, begunAt);
      throw new DatabaseUnavailableError(error);
    }
  }

  private async connectOnce(): Promise<PoolClient> {
    await this.share?.turn();
    return this.growth.connect();
  }

  /** Takes a connection, which is verified unless it was used just now. */
  private async take(): Promise<PoolClient> {
    const client = await super.connect();
    const releasedAt = this.releasedAt.get(client);
    const isFormer = client instanceof AddressedClient && this.renewal.isFormer(client.openedAt);
    if (this.uriChange?.supersedes(client) || isFormer) {
      client.release(true);
      throw new StaleConnectionError();
    }
    if (releasedAt !== undefined && performance.now() - releasedAt < TRUSTED_IDLE_MS) return client;
    try {
      await this.check.verify(client);
      this.uriChange?.connected(client);
      return client;
    } catch (error) {
      client.release(error as Error);
      if (releasedAt !== undefined) throw new StaleConnectionError();
      if (client instanceof AddressedClient) client.skip();
      throw error;
    }
  }

  private watchTakeovers(): void {
    const watch = new TakeoverWatch(
      async () => this.check.primary(),
      (client) => this.check.serverOf(client),
      () => {
        this.renewal.renew(performance.now());
        // Another server has certainly taken over, so renewal at the next takeover need not wait longer.
        this.renewal.helped();
      },
    );
    this.on('acquire', (client) => watch.acquired(client));
    this.on('release', (_error, client) => watch.released(client));
    this.on('remove', (client) => watch.released(client));
  }
}

type ConnectCallback = (
  error: Error | undefined,
  client: PoolClient | undefined,
  release: (error?: Error | boolean) => void,
) => void;

/** The pool's class of clients. */
export function clientOf(attempts: ConnectionAttempts): new (options?: ClientConfig) => ClientBase {
  return class extends AddressedClient {
    constructor(options: ClientConfig = {}) {
      super(options, attempts);
    }
  };
}

/** With `sslmode=prefer` and `allow`, one of two attempts; the other one's error says more. */
function isUnencryptedServer(error: unknown): boolean {
  return (error as Error).message === 'The server does not support SSL connections';
}

/** All connections stayed in use for as long as a request may wait. Waiting again would double that. */
function isPoolExhausted(error: unknown): boolean {
  return (error as Error).message === EXHAUSTED;
}
