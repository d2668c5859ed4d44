import net, { isIP, type Socket } from 'node:net';
import tls from 'node:tls';
import { CONNECTED, CONNECTING, type DriverConnection } from './driver.js';
import type { FrameMemory } from '../wire/frame-memory.js';
import { FrameSplitter } from './frame-splitter.js';
import { reasonOf } from './secure-context.js';
import { UNIMPLEMENTED } from './zookeeper-error.js';
import { addressText, type ZookeeperAddress } from './zookeeper-addresses.js';
import { watchConnection } from './watch-connection.js';

export interface ConnectionOptions {
  readonly servers: readonly ZookeeperAddress[];
  /** Timeout for getting a session, and for each operation. */
  readonly timeoutMs: number;
  /** Larger replies are rejected without buffering them. */
  readonly maxReplyBytes: number;
  /** For TLS. */
  readonly secureContext?: tls.SecureContext | undefined;
  /** For replies. */
  readonly memory: FrameMemory;
  /** Called with the reason whenever a connection fails or is abandoned. */
  readonly onConnectionError: (reason: string) => void;
  /** Called with each frame just before the driver handles it. */
  readonly onFrame: (frame: Buffer) => void;
}

const FIRST_DELAY_MS = 50;
const LONGEST_DELAY_MS = 1_000;
const MIN_HANDSHAKE_MS = 500;
/** A frozen server still accepts connections; it must not keep the client from trying the others. */
const FIRST_HANDSHAKE_MS = 1_000;
/** A server under load may pause briefly. */
const MIN_SILENCE_MS = 2_000;
/** Read at once. */
const CHUNK_BYTES = 1 << 16;
/** Offsets of xid and error in a reply, after its length. */
const XID_AT = 4;
const ERROR_AT = 16;

/**
 * Replaces the driver's connection handling, which hides socket errors, waits forever for a server that accepts
 * connections but sends nothing, never notices a server going silent, and does not support TLS.
 */
export class HardenedConnection {
  private readonly servers: readonly ZookeeperAddress[];
  /** Round robin, so that the server just lost is retried last. */
  private next = 0;
  /** Since the last session. */
  private attempts = 0;
  /** When data last arrived during a session. */
  private lastDataAt: number | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isEnded = false;

  constructor(
    private readonly connection: DriverConnection,
    private readonly options: ConnectionOptions,
  ) {
    this.servers = shuffle(options.servers);
    gatherWrites(connection);
    connection.on('state', (state: number) => {
      if (state === CONNECTED) this.onSession();
    });
    connection.connect = () => this.connect();
  }

  /** Disconnects and moves on to the next server. @returns false if there is no other */
  leaveServer(reason: string): boolean {
    if (this.servers.length === 1) return false;
    this.connection.socket?.destroy(new Error(reason));
    return true;
  }

  /** Stops reconnecting. */
  end(): void {
    this.isEnded = true;
    clearTimeout(this.timer);
    this.connection.socket?.destroy();
  }

  private connect(): void {
    if (this.isEnded) return;
    this.connection.setState(CONNECTING);
    const server = this.servers[this.next % this.servers.length]!;
    const delay = delayOf(Math.floor(this.attempts / this.servers.length));
    this.next += 1;
    this.attempts += 1;
    this.timer = setTimeout(() => {
      const socket = open(this.connection, server, this.options);
      const stopWatching = watchConnection(this.connection, socket, {
        handshakeMs: this.handshakeMs(),
        silenceMs: () => this.silenceMs(),
        onData: (at) => (this.lastDataAt = at),
      });
      socket.on('close', stopWatching);
    }, delay);
  }

  private onSession(): void {
    this.attempts = 0;
    this.lastDataAt = performance.now();
    // A server counts as silent only after two unanswered pings.
    this.connection.pingTimeout = Math.min(this.connection.pingTimeout, Math.floor(this.silenceMs() / 2));
  }

  /** Short enough to try the other servers too, before the session expires if there is one to keep; grows with each round. */
  private handshakeMs(): number {
    const { length } = this.servers;
    const usual = this.options.timeoutMs / (length + 1);
    const round = Math.floor((this.attempts - 1) / length);
    const patient = length === 1 ? usual : FIRST_HANDSHAKE_MS * 2 ** round;
    const leftMs =
      this.lastDataAt === undefined
        ? 0
        : this.lastDataAt + this.connection.sessionTimeout - performance.now();
    const kept = leftMs > 0 ? leftMs / Math.max(1, length - this.attempts) : Infinity;
    return Math.max(MIN_HANDSHAKE_MS, Math.min(usual, patient, kept));
  }

  /** Leaves a third of the session timeout to find another server, and a third of the operation timeout to retry there. */
  private silenceMs(): number {
    const { connection, options } = this;
    return Math.min(
      (connection.sessionTimeout * 2) / 3,
      Math.max(MIN_SILENCE_MS, (options.timeoutMs * 2) / 3),
    );
  }
}

/** No delay in the first round over the servers, then doubling each round, with jitter. */
function delayOf(round: number): number {
  if (round === 0) return 0;
  return Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (round - 1)) * (0.5 + Math.random() / 2);
}

/** Sends all requests of one event-loop turn in one system call; one call per request takes half of a load's time. */
function gatherWrites(connection: DriverConnection): void {
  const corked = new WeakSet<Socket>();
  connection.packetQueue.removeAllListeners('readable');
  connection.packetQueue.on('readable', () => {
    const { socket } = connection;
    if (socket && !corked.has(socket)) {
      corked.add(socket);
      socket.cork();
      setImmediate(() => {
        corked.delete(socket);
        socket.uncork();
      });
    }
    connection.onPacketQueueReadable();
  });
}

function open(connection: DriverConnection, server: ZookeeperAddress, options: ConnectionOptions): Socket {
  const splitter = new FrameSplitter(options.maxReplyBytes, options.memory);
  const socket = connect(server, options, (chunk) => {
    try {
      for (const frame of splitter.push(chunk)) {
        if (connection.state !== CONNECTING) expectReply(connection, frame);
        options.onFrame(frame);
        const isLast = connection.state !== CONNECTING && isRejection(frame);
        connection.onSocketData(frame);
        if (isLast) return void socket.destroy();
      }
    } catch (error) {
      socket.destroy(error as Error);
    }
  });
  connection.socket = socket;
  socket.setNoDelay();
  socket.on(options.secureContext ? 'secureConnect' : 'connect', () => connection.onSocketConnected());
  socket.on('drain', () => connection.onSocketDrain());
  socket.on('error', (error) => options.onConnectionError(`${addressText(server)}: ${reasonOf(error)}`));
  socket.on('close', (hasError) => {
    if (!hasError && connection.state === CONNECTING) {
      options.onConnectionError(
        `${addressText(server)}: it closed the connection (does the cluster have a quorum?)`,
      );
    }
    if (connection.socket === socket) close(connection, hasError);
  });
  return socket;
}

/** @param onData called with chunks that are all in the same memory, one after the other */
function connect(
  server: ZookeeperAddress,
  options: ConnectionOptions,
  onData: (chunk: Buffer) => void,
): Socket {
  const buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  const callback = (bytes: number): boolean => {
    onData(buffer.subarray(0, bytes));
    return true;
  };
  const target = { ...server, onread: { buffer, callback } };
  const { secureContext } = options;
  if (!secureContext) return net.connect(target);
  return tls.connect({
    ...target,
    secureContext,
    ...(isIP(server.host) === 0 && { servername: server.host }),
  });
}

/**
 * When a reply arrives out of order, the driver drops the request without calling back. Servers reply in order, except to
 * unknown operations, which the thread that reads requests rejects ahead of earlier ones.
 *
 * @throws {Error} if the frame does not answer the next pending request
 */
function expectReply({ pendingQueue }: DriverConnection, frame: Buffer): void {
  const xid = frame.readInt32BE(XID_AT);
  if (xid < 0 || pendingQueue[0]?.request.header.xid === xid) return;
  const index = pendingQueue.findIndex(({ request }) => request.header.xid === xid);
  if (index < 0 || !isRejection(frame)) {
    throw new Error(`a response to request ${xid} arrived out of order`);
  }
  pendingQueue.unshift(...pendingQueue.splice(index, 1));
}

/**
 * Whether the server does not know the operation. It then closes the connection, but perhaps after further answers: a write
 * meanwhile could be lost without it being known whether it was made.
 */
function isRejection(frame: Buffer): boolean {
  return frame.readInt32BE(ERROR_AT) === UNIMPLEMENTED;
}

/** Drops queued requests: the driver would send them after reconnecting, although their callers already got an error. */
function close(connection: DriverConnection, hasError: boolean): void {
  connection.packetQueue.queue.length = 0;
  connection.onSocketClosed(hasError);
}

function shuffle<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, order: Math.random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item);
}
