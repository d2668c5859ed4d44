import { setTimeout as sleep } from 'node:timers/promises';
import type { SecureContextOptions } from 'node:tls';
import {
  createDriverClient,
  CreateMode,
  type ACL,
  type DriverClient,
  type DriverTransaction,
  type Stat,
} from './driver.js';
import { hardenConnection } from './hardened-connection.js';
import { RequestWindow } from './request-window.js';
import { addressText, isLoopback, type ZookeeperAddress } from './zookeeper-addresses.js';
import { SessionEndedError, ZookeeperError } from './zookeeper-error.js';

export interface ZookeeperClientOptions {
  readonly servers: readonly ZookeeperAddress[];
  /** How long to wait for a session, for one operation, and for a server to come back, in milliseconds. */
  readonly timeoutMs: number;
  /** What to ask for; the server has the last word. Ephemeral nodes outlive their maker by so much. */
  readonly sessionTimeoutMs: number;
  /** `user:password` for digest authentication. */
  readonly auth?: string | undefined;
  /** Sends `auth` over a connection that is neither TLS nor loopback: everyone on the way can read it. */
  readonly allowPlaintextAuth?: boolean | undefined;
  readonly tls?: SecureContextOptions | undefined;
}

export interface NodeData {
  readonly data: Buffer;
  readonly version: number;
  readonly childCount: number;
}

export interface NodeChildren {
  readonly names: readonly string[];
  readonly version: number;
  readonly dataLength: number;
}

export type MultiOperation =
  | { readonly type: 'check'; readonly path: string }
  | {
      readonly type: 'create';
      readonly path: string;
      readonly data: Uint8Array;
      readonly acl: ACL[];
      readonly ephemeral?: boolean;
    }
  | { readonly type: 'setData'; readonly path: string; readonly data: Uint8Array; readonly version: number }
  | { readonly type: 'remove'; readonly path: string; readonly version: number };

const NO_NODE = -101;
const CONNECTION_LOSS = -4;
const OPERATION_TIMEOUT = -7;
/** More at once makes the driver slower: it shifts arrays. */
const WINDOW = 256;
const CLOSE_MS = 2_000;
const MIN_HANDSHAKE_MS = 500;
/** How many lost connections a read survives. */
const READ_ATTEMPTS = 10;

/** `error` is an `Error` in fact, though not in the driver's types. */
type Callback<T> = (error: unknown, value: T) => void;

/**
 * A ZooKeeper session. The only place that knows `node-zookeeper-client`, whose silences it ends: every promise settles,
 * every fault is told, within `timeoutMs`. A session that ended is of no further use.
 */
export class ZookeeperClient {
  private readonly driver: DriverClient;
  private readonly stopConnecting: () => void;
  private readonly window = new RequestWindow(WINDOW);
  private readonly outstanding = new Set<(error: Error) => void>();
  private lastFault = 'no answer';
  private isConnected = false;
  private ended: SessionEndedError | undefined;
  private awayTimer: NodeJS.Timeout | undefined;
  private wakeUp: (() => void)[] = [];

  private constructor(private readonly options: ZookeeperClientOptions) {
    this.driver = createDriverClient(options.sessionTimeoutMs);
    this.stopConnecting = hardenConnection(this.driver.connectionManager, {
      servers: options.servers,
      // So that every server is tried before time is up.
      handshakeMs: Math.max(MIN_HANDSHAKE_MS, options.timeoutMs / (options.servers.length + 1)),
      tls: options.tls,
      onFault: (fault) => (this.lastFault = fault),
    });
    if (options.auth !== undefined) this.driver.addAuthInfo('digest', Buffer.from(options.auth));
    this.driver.on('connected', () => this.onConnected());
    this.driver.on('disconnected', () => this.onDisconnected());
    this.driver.on('expired', () => this.end('expired', 'the session expired'));
    this.driver.on('authenticationFailed', () =>
      this.end('refused', 'the server refused the authentication'),
    );
  }

  /**
   * Opens a session.
   *
   * @throws {SessionEndedError} after `timeoutMs`, naming the servers and the last fault
   * @throws {RangeError} when `auth` would travel in clear
   */
  static async connect(options: ZookeeperClientOptions): Promise<ZookeeperClient> {
    if (options.auth !== undefined && !options.tls && !options.allowPlaintextAuth) {
      const exposed = options.servers.find((server) => !isLoopback(server));
      if (exposed) {
        throw new RangeError(
          `the password for ${addressText(exposed)} would travel in clear; use TLS, or allow it explicitly`,
        );
      }
    }
    const client = new ZookeeperClient(options);
    client.onDisconnected();
    client.driver.connect();
    await client.connected();
    return client;
  }

  /** As agreed with the server, in milliseconds. */
  get sessionTimeoutMs(): number {
    return this.driver.getSessionTimeout();
  }

  /** @returns undefined when there is no such node */
  async getData(path: string): Promise<NodeData | undefined> {
    return this.read('getData', path, (callback: Callback<NodeData>) => {
      this.driver.getData(path, (error, data, stat) => {
        if (error) callback(error, undefined as never);
        else
          callback(null, {
            data: data ?? Buffer.alloc(0),
            version: stat.version,
            childCount: stat.numChildren,
          });
      });
    });
  }

  /** @returns undefined when there is no such node */
  async getChildren(path: string): Promise<NodeChildren | undefined> {
    return this.read('getChildren', path, (callback: Callback<NodeChildren>) => {
      this.driver.getChildren(path, (error, names, stat: Stat) => {
        if (error) callback(error, undefined as never);
        else callback(null, { names, version: stat.version, dataLength: stat.dataLength });
      });
    });
  }

  /** Creates a node and what is missing above it; fine when it is there already. */
  async makePath(path: string, acl: ACL[]): Promise<void> {
    const names = path.split('/').slice(1);
    for (let depth = 1; depth <= names.length; depth += 1) {
      const parent = `/${names.slice(0, depth).join('/')}`;
      if (await this.getData(parent)) continue;
      await this.multi([{ type: 'create', path: parent, data: Buffer.alloc(0), acl }]).catch(
        async (error: unknown) => {
          if (!(await this.getData(parent))) throw error;
        },
      );
    }
  }

  /**
   * All or nothing.
   *
   * @throws {ZookeeperError} with the path and index of the operation that failed; `CONNECTION_LOSS` and
   * `OPERATION_TIMEOUT` mean that the outcome is unknown
   */
  async multi(operations: readonly MultiOperation[]): Promise<void> {
    const first = operations[0]?.path ?? '';
    await this.request<void>('multi', first, (callback) => {
      const transaction = this.driver.transaction() as DriverTransaction;
      for (const operation of operations) addOperation(transaction, operation);
      transaction.commit((error: unknown, results?: readonly { err?: number }[]) => {
        callback(error && culprit(error, operations, results ?? []), undefined);
      });
    });
  }

  /** Ends the session; its ephemeral nodes go at once if the server can be told. */
  async close(): Promise<void> {
    if (this.isConnected && !this.ended) {
      const closed = new Promise<void>((resolve) => this.driver.once('disconnected', resolve));
      this.ended = new SessionEndedError('closed', 'the session was closed');
      this.driver.close();
      await Promise.race([closed, sleep(CLOSE_MS, undefined, { ref: false })]);
    }
    this.end('closed', 'the session was closed');
  }

  /** Reads are repeated after a lost connection, until the session ends. */
  private async read<T>(
    name: string,
    path: string,
    send: (callback: Callback<T>) => void,
  ): Promise<T | undefined> {
    for (let attempt = 1; ; attempt += 1) {
      await this.connected();
      try {
        return await this.request(name, path, send);
      } catch (error) {
        if (!(error instanceof ZookeeperError)) throw error;
        if (error.code === NO_NODE) return undefined;
        if (error.code !== CONNECTION_LOSS || attempt === READ_ATTEMPTS) throw error;
      }
    }
  }

  private async request<T>(name: string, path: string, send: (callback: Callback<T>) => void): Promise<T> {
    await this.window.enter();
    try {
      return await this.send(name, path, send);
    } finally {
      this.window.leave();
    }
  }

  private async send<T>(name: string, path: string, send: (callback: Callback<T>) => void): Promise<T> {
    if (this.ended) throw this.ended;
    if (!this.isConnected) throw new ZookeeperError(name, path, CONNECTION_LOSS);
    return new Promise<T>((resolve, reject) => {
      const settle = (error: unknown, value: T): void => {
        clearTimeout(timer);
        this.outstanding.delete(fail);
        if (error) reject(toZookeeperError(error, name, path));
        else resolve(value);
      };
      const fail = (error: Error): void => settle(error, undefined as never);
      const timer = setTimeout(
        () => fail(new ZookeeperError(name, path, OPERATION_TIMEOUT)),
        this.options.timeoutMs,
      );
      this.outstanding.add(fail);
      try {
        send(settle);
      } catch (error) {
        fail(error as Error);
      }
    });
  }

  private async connected(): Promise<void> {
    if (!this.isConnected && !this.ended) await new Promise<void>((resolve) => this.wakeUp.push(resolve));
    if (this.ended) throw this.ended;
  }

  private onConnected(): void {
    this.isConnected = true;
    clearTimeout(this.awayTimer);
    this.awayTimer = undefined;
    this.wake();
  }

  private onDisconnected(): void {
    this.isConnected = false;
    this.awayTimer ??= setTimeout(() => {
      const servers = this.options.servers.map(addressText).join(', ');
      this.end('lost', `ZooKeeper at ${servers} cannot be reached (${this.lastFault})`);
    }, this.options.timeoutMs);
  }

  private end(reason: SessionEndedError['reason'], message: string): void {
    this.ended ??= new SessionEndedError(reason, message);
    this.isConnected = false;
    clearTimeout(this.awayTimer);
    this.stopConnecting();
    for (const fail of [...this.outstanding]) fail(this.ended);
    this.wake();
  }

  private wake(): void {
    for (const resolve of this.wakeUp.splice(0)) resolve();
  }
}

function addOperation(transaction: DriverTransaction, operation: MultiOperation): void {
  const { type, path } = operation;
  switch (type) {
    case 'check':
      transaction.check(path);
      return;
    case 'create': {
      const mode = operation.ephemeral ? CreateMode.EPHEMERAL : CreateMode.PERSISTENT;
      transaction.create(path, toBuffer(operation.data), operation.acl, mode);
      return;
    }
    case 'setData':
      transaction.setData(path, toBuffer(operation.data));
      break;
    case 'remove':
      transaction.remove(path);
      break;
  }
  transaction.ops.at(-1)!.version = operation.version;
}

/** Without a copy. */
function toBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

const RUNTIME_INCONSISTENCY = -2;

/** The operation that made the multi fail: the others carry 0 or RUNTIME_INCONSISTENCY. */
function culprit(
  error: unknown,
  operations: readonly MultiOperation[],
  results: readonly { err?: number }[],
): Error {
  const index = results.findIndex(({ err = 0 }) => err !== 0 && err !== RUNTIME_INCONSISTENCY);
  const operation = operations[index];
  if (!operation) return toZookeeperError(error, 'multi', operations[0]?.path ?? '');
  return new ZookeeperError(operation.type, operation.path, results[index]!.err!, index);
}

function toZookeeperError(error: unknown, operation: string, path: string): Error {
  if (error instanceof ZookeeperError || error instanceof SessionEndedError) return error;
  const { code } = error as { code?: unknown };
  return Object.assign(new ZookeeperError(operation, path, typeof code === 'number' ? code : BAD_ARGUMENTS), {
    cause: error,
  });
}

const BAD_ARGUMENTS = -8;
