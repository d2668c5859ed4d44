import { setTimeout as sleep } from 'node:timers/promises';
import type { SecureContextOptions } from 'node:tls';
import { createDriverClient, type DriverClient } from './driver.js';
import type { WireRequest } from '../wire/wire-request.js';
import { addressText, isLoopback, type ZookeeperAddress } from './zookeeper-addresses.js';
import {
  BAD_ARGUMENTS,
  CONNECTION_LOSS,
  OPERATION_TIMEOUT,
  SessionEndedError,
  ZookeeperError,
} from './zookeeper-error.js';
import { HardenedConnection } from './hardened-connection.js';

export interface ZookeeperSessionOptions {
  readonly servers: readonly ZookeeperAddress[];
  /** How long to wait for a session, for one operation, and for a server to come back, in milliseconds. */
  readonly timeoutMs: number;
  /** What to ask for; the server has the last word. Ephemeral nodes outlive their maker by so much. */
  readonly sessionTimeoutMs: number;
  /** The largest reply to take, in bytes; a request whose reply is larger fails with `REPLY_TOO_LARGE`. */
  readonly maxReplyBytes: number;
  /** `user:password` for digest authentication. */
  readonly auth?: string | undefined;
  /** Sends `auth` over a connection that is neither TLS nor loopback: everyone on the way can read it. */
  readonly allowPlaintextAuth?: boolean | undefined;
  readonly tls?: SecureContextOptions | undefined;
}

/** More at once makes the driver slower: it shifts arrays. */
const WINDOW = 256;
const CLOSE_MS = 2_000;
/** A cluster that elects a new leader keeps its sessions meanwhile, which may take longer than one of them lasts. */
const KEPT_SESSIONS = 3;

/**
 * A ZooKeeper session over `node-zookeeper-client`, without its silent failures: every promise settles and every error is reported
 * within `timeoutMs`. A session that ended is of no further use.
 */
export class ZookeeperSession {
  private readonly driver: DriverClient;
  private readonly connection: HardenedConnection;
  private readonly window = new RequestWindow(WINDOW);
  private readonly outstanding = new Set<(error: Error) => void>();
  /** What the driver is handling just now. */
  private frame: Buffer = Buffer.alloc(0);
  private lastFault = 'no answer';
  private isConnected = false;
  private hadSession = false;
  private ended: SessionEndedError | undefined;
  private awayTimer: NodeJS.Timeout | undefined;
  private wakeUp: (() => void)[] = [];

  private constructor(private readonly options: ZookeeperSessionOptions) {
    this.driver = createDriverClient(options.sessionTimeoutMs);
    this.connection = new HardenedConnection(this.driver.connectionManager, {
      servers: options.servers,
      timeoutMs: options.timeoutMs,
      maxReplyBytes: options.maxReplyBytes,
      tls: options.tls,
      onFault: (fault) => (this.lastFault = fault),
      onFrame: (frame) => (this.frame = frame),
    });
    if (options.auth !== undefined) this.driver.addAuthInfo('digest', Buffer.from(options.auth));
    this.driver.on('connected', () => this.onConnected());
    this.driver.on('disconnected', () => this.onDisconnected());
    this.driver.on('expired', () => this.end('expired', `the session with ${this.cluster} expired`));
    this.driver.on('authenticationFailed', () =>
      this.end('refused', `${this.cluster} refused the authentication; see destination.auth`),
    );
  }

  /**
   * Opens a session.
   *
   * @throws {SessionEndedError} after `timeoutMs`, naming the servers and the last error
   * @throws {RangeError} when `auth` would be sent unencrypted
   */
  static async connect(options: ZookeeperSessionOptions): Promise<ZookeeperSession> {
    if (options.auth !== undefined && !options.tls && !options.allowPlaintextAuth) {
      const exposed = options.servers.find((server) => !isLoopback(server));
      if (exposed) {
        throw new RangeError(
          `the password for ${addressText(exposed)} would be sent unencrypted; use TLS, or allow it explicitly`,
        );
      }
    }
    const session = new ZookeeperSession(options);
    session.onDisconnected();
    session.driver.connect();
    await session.connected();
    return session;
  }

  /** False once the session has ended for good. */
  get isOpen(): boolean {
    return this.ended === undefined;
  }

  /** As agreed with the server, in milliseconds. */
  get sessionTimeoutMs(): number {
    return this.driver.getSessionTimeout();
  }

  /**
   * @param name of the operation, for messages
   * @returns the reply, as ZooKeeper framed it
   * @throws {ZookeeperError} | {SessionEndedError}; `CONNECTION_LOSS` and `OPERATION_TIMEOUT` mean that the outcome is
   * unknown
   */
  async request(name: string, path: string, request: WireRequest): Promise<Buffer> {
    await this.window.enter();
    try {
      return await this.send(name, path, request);
    } finally {
      this.window.leave();
    }
  }

  /** Waits for a connection, if it is lost. */
  async connected(): Promise<void> {
    if (!this.isConnected && !this.ended) await new Promise<void>((resolve) => this.wakeUp.push(resolve));
    if (this.ended) throw this.ended;
  }

  /** Gives up the server that is connected, and goes on to the next. @returns false where there is no other */
  leaveServer(reason: string): boolean {
    return this.connection.leaveServer(reason);
  }

  /** Ends the session; its ephemeral nodes go immediately if the server can be reached. */
  async close(): Promise<void> {
    if (this.isConnected && !this.ended) {
      const closed = new Promise<void>((resolve) => this.driver.once('disconnected', resolve));
      this.ended = new SessionEndedError('closed', 'the session was closed');
      this.driver.close();
      await Promise.race([closed, sleep(CLOSE_MS, undefined, { ref: false })]);
    }
    this.end('closed', 'the session was closed');
  }

  private async send(name: string, path: string, request: WireRequest): Promise<Buffer> {
    if (this.ended) throw this.ended;
    if (!this.isConnected) throw new ZookeeperError(name, path, CONNECTION_LOSS);
    return new Promise<Buffer>((resolve, reject) => {
      const fail = (error: Error): void => {
        clearTimeout(timer);
        this.outstanding.delete(fail);
        reject(toZookeeperError(error, name, path));
      };
      const timer = setTimeout(
        () => fail(new ZookeeperError(name, path, OPERATION_TIMEOUT)),
        this.options.timeoutMs,
      );
      this.outstanding.add(fail);
      this.driver.connectionManager.queue(request, (error) => {
        if (error) return fail(error);
        clearTimeout(timer);
        this.outstanding.delete(fail);
        resolve(this.frame);
      });
    });
  }

  private get cluster(): string {
    return `ZooKeeper at ${this.options.servers.map(addressText).join(', ')}`;
  }

  private onConnected(): void {
    this.isConnected = true;
    this.hadSession = true;
    clearTimeout(this.awayTimer);
    this.awayTimer = undefined;
    this.wake();
  }

  private onDisconnected(): void {
    this.isConnected = false;
    // No request outlives its connection, whatever the driver makes of it.
    this.failOutstanding(Object.assign(new Error('the connection was lost'), { code: CONNECTION_LOSS }));
    this.awayTimer ??= setTimeout(
      () => this.end('lost', `${this.cluster} cannot be reached (${this.lastFault})`),
      Math.max(this.options.timeoutMs, this.hadSession ? KEPT_SESSIONS * this.sessionTimeoutMs : 0),
    );
  }

  private end(reason: SessionEndedError['reason'], message: string): void {
    this.ended ??= new SessionEndedError(reason, message);
    this.isConnected = false;
    clearTimeout(this.awayTimer);
    this.connection.end();
    this.failOutstanding(this.ended);
    this.wake();
  }

  private failOutstanding(error: Error): void {
    for (const fail of [...this.outstanding]) fail(error);
  }

  private wake(): void {
    for (const resolve of this.wakeUp.splice(0)) resolve();
  }
}

function toZookeeperError(error: unknown, operation: string, path: string): Error {
  if (error instanceof ZookeeperError || error instanceof SessionEndedError) return error;
  const { code } = error as { code?: unknown };
  return Object.assign(new ZookeeperError(operation, path, typeof code === 'number' ? code : BAD_ARGUMENTS), {
    cause: error,
  });
}

/** Lets at most so many requests be under way; the others wait in order. */
export class RequestWindow {
  private free: number;
  private waiting: (() => void)[] = [];
  private head = 0;

  constructor(size: number) {
    this.free = size;
  }

  async enter(): Promise<void> {
    if (this.free > 0) {
      this.free -= 1;
      return;
    }
    await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  leave(): void {
    const next = this.waiting[this.head];
    if (next === undefined) {
      this.free += 1;
      return;
    }
    this.head += 1;
    // An array's shift is linear: cut off what was served only now and then.
    if (this.head === 1_024) {
      this.waiting = this.waiting.slice(this.head);
      this.head = 0;
    }
    next();
  }
}
