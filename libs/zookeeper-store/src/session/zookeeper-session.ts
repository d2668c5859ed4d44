import { setTimeout as sleep } from 'node:timers/promises';
import type { SecureContextOptions } from 'node:tls';
import { createDriverClient, type DriverClient } from './driver.js';
import { FrameMemory } from '../wire/frame-memory.js';
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
import { toSecureContext } from './secure-context.js';

export interface ZookeeperSessionOptions {
  readonly servers: readonly ZookeeperAddress[];
  /** Timeout for getting a session, for each operation and for reconnecting, in milliseconds. */
  readonly timeoutMs: number;
  /** Requested; the server may adjust it. Ephemeral nodes outlive a killed client by this long. */
  readonly sessionTimeoutMs: number;
  /** Maximum reply size in bytes; a request with a larger reply fails with `REPLY_TOO_LARGE`. */
  readonly maxReplyBytes: number;
  /** `user:password` for digest authentication. */
  readonly auth?: string | undefined;
  /** Allows sending `auth` over a connection that is neither TLS nor loopback, where it can be intercepted. */
  readonly allowPlaintextAuth?: boolean | undefined;
  readonly tls?: SecureContextOptions | undefined;
}

/** More requests in flight slow the driver down: it calls `shift` on arrays. */
const WINDOW = 256;
const CLOSE_MS = 2_000;
/** In session timeouts: a cluster electing a leader keeps sessions alive, and the election may outlast a timeout. */
const KEPT_SESSIONS = 3;

/**
 * A ZooKeeper session over `node-zookeeper-client`, without its silent failures: every promise settles, and every error
 * is reported, within `timeoutMs`, or a few session timeouts after a lost connection. An ended session cannot be reused.
 */
export class ZookeeperSession {
  /** For requests and replies. */
  readonly memory = new FrameMemory();
  private readonly driver: DriverClient;
  private readonly connection: HardenedConnection;
  private readonly window = new RequestWindow(WINDOW);
  private readonly outstanding = new Set<(error: Error) => void>();
  /** The frame that the driver is handling. */
  private frame: Buffer = Buffer.alloc(0);
  private lastError = 'no response';
  private isConnected = false;
  private hadSession = false;
  private ended: SessionEndedError | undefined;
  private lostTimer: NodeJS.Timeout | undefined;
  private wakeUp: (() => void)[] = [];

  private constructor(private readonly options: ZookeeperSessionOptions) {
    this.driver = createDriverClient(options.sessionTimeoutMs);
    this.connection = new HardenedConnection(this.driver.connectionManager, {
      servers: options.servers,
      timeoutMs: options.timeoutMs,
      maxReplyBytes: options.maxReplyBytes,
      secureContext: options.tls && toSecureContext(options.tls),
      memory: this.memory,
      onConnectionError: (reason) => (this.lastError = reason),
      onFrame: (frame) => (this.frame = frame),
    });
    if (options.auth !== undefined) this.driver.addAuthInfo('digest', Buffer.from(options.auth));
    this.driver.on('connected', () => this.onConnected());
    this.driver.on('disconnected', () => this.onDisconnected());
    this.driver.on('expired', () => this.end('expired', `the session with ${this.cluster} expired`));
    this.driver.on('authenticationFailed', () =>
      this.end('refused', `${this.cluster} rejected the credentials; see destination.auth`),
    );
  }

  /**
   * Opens a session.
   *
   * @throws {SessionEndedError} after `timeoutMs`, naming the servers and the last error
   * @throws {RangeError} if `auth` would be sent unencrypted
   * @throws {UnusableTlsError}
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

  /** False once the session has ended. */
  get isOpen(): boolean {
    return this.ended === undefined;
  }

  /** As agreed with the server, in milliseconds. */
  get sessionTimeoutMs(): number {
    return this.driver.getSessionTimeout();
  }

  /**
   * @param name of the operation, for messages
   * @returns the reply frame
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

  /** Resolves once connected. */
  async connected(): Promise<void> {
    if (!this.isConnected && !this.ended) await new Promise<void>((resolve) => this.wakeUp.push(resolve));
    if (this.ended) throw this.ended;
  }

  /** Disconnects and moves on to the next server. @returns false if there is no other */
  leaveServer(reason: string): boolean {
    return this.connection.leaveServer(reason);
  }

  /** Ends the session; its ephemeral nodes disappear at once if the server is reachable. */
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
    clearTimeout(this.lostTimer);
    this.lostTimer = undefined;
    this.wake();
  }

  private onDisconnected(): void {
    this.isConnected = false;
    // Fail them here: the driver may not.
    this.failOutstanding(Object.assign(new Error('the connection was lost'), { code: CONNECTION_LOSS }));
    this.lostTimer ??= setTimeout(
      () => this.end('lost', `${this.cluster} cannot be reached (${this.lastError})`),
      Math.max(this.options.timeoutMs, this.hadSession ? KEPT_SESSIONS * this.sessionTimeoutMs : 0),
    );
  }

  private end(reason: SessionEndedError['reason'], message: string): void {
    this.ended ??= new SessionEndedError(reason, message);
    this.isConnected = false;
    clearTimeout(this.lostTimer);
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

/** Limits the number of requests in flight; the others wait in order. */
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
    this.head += 1; // Array shift is linear, so served entries are removed in bulk.
    if (this.head === 1_024) {
      this.waiting = this.waiting.slice(this.head);
      this.head = 0;
    }
    next();
  }
}
