import net, { isIP, type Socket } from 'node:net';
import tls from 'node:tls';
import { CONNECTED, CONNECTING, type DriverConnection } from './driver.js';
import { FrameSplitter } from './frame-splitter.js';
import { UNIMPLEMENTED } from './zookeeper-error.js';
import { addressText, type ZookeeperAddress } from './zookeeper-addresses.js';
import { watchConnection } from './watch-connection.js';

export interface ConnectionOptions {
  readonly servers: readonly ZookeeperAddress[];
  /** How long to wait for a session, and for one operation. */
  readonly timeoutMs: number;
  /** A larger reply is refused before it is gathered. */
  readonly maxReplyBytes: number;
  readonly tls?: tls.SecureContextOptions | undefined;
  /** Called with the reason a connection failed or was given up. */
  readonly onFault: (fault: string) => void;
  /** Handed each frame just before the driver handles it. */
  readonly onFrame: (frame: Buffer) => void;
}

const FIRST_DELAY_MS = 50;
const LONGEST_DELAY_MS = 1_000;
const MIN_HANDSHAKE_MS = 500;
/** A frozen server accepts connections, too: it must not keep a client from those that run. */
const FIRST_HANDSHAKE_MS = 1_000;
/** A server under load may be silent for a moment. */
const MIN_SILENCE_MS = 2_000;
/** Where a reply has its request's number and its error, behind its length. */
const XID_AT = 4;
const ERROR_AT = 16;

/**
 * Takes over the driver's way of connecting. The driver's own hides every socket error, waits for ever for a server that
 * accepts connections but sends nothing, never notices a server that falls silent, and knows no TLS.
 */
export class HardenedConnection {
  private readonly servers: readonly ZookeeperAddress[];
  /** Goes on from server to server, so that the one just lost is the last to be tried again. */
  private next = 0;
  /** Since there was a session last. */
  private attempts = 0;
  /** When something arrived last while there was a session. */
  private heardAt: number | undefined;
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

  /** Gives up the server that is connected, and goes on to the next. @returns false where there is no other */
  leaveServer(reason: string): boolean {
    if (this.servers.length === 1) return false;
    this.connection.socket?.destroy(new Error(reason));
    return true;
  }

  /** No further attempt is made. */
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
        onHeard: (at) => (this.heardAt = at),
      });
      socket.on('close', stopWatching);
    }, delay);
  }

  private onSession(): void {
    this.attempts = 0;
    this.heardAt = Date.now();
    // So that two answers are missing before a server counts as silent.
    this.connection.pingTimeout = Math.min(this.connection.pingTimeout, Math.floor(this.silenceMs() / 2));
  }

  /** Leaves time for the other servers, more of it each round; while there is a session to keep, before it ends. */
  private handshakeMs(): number {
    const { length } = this.servers;
    const usual = this.options.timeoutMs / (length + 1);
    const round = Math.floor((this.attempts - 1) / length);
    const patient = length === 1 ? usual : FIRST_HANDSHAKE_MS * 2 ** round;
    const leftMs =
      this.heardAt === undefined ? 0 : this.heardAt + this.connection.sessionTimeout - Date.now();
    const kept = leftMs > 0 ? leftMs / Math.max(1, length - this.attempts) : Infinity;
    return Math.max(MIN_HANDSHAKE_MS, Math.min(usual, patient, kept));
  }

  /** A third of the session is left to find another server, and of an operation's time to ask it again. */
  private silenceMs(): number {
    const { connection, options } = this;
    return Math.min(
      (connection.sessionTimeout * 2) / 3,
      Math.max(MIN_SILENCE_MS, (options.timeoutMs * 2) / 3),
    );
  }
}

/** No delay in the first round over the servers, then twice as long each round, with jitter. */
function delayOf(round: number): number {
  if (round === 0) return 0;
  return Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (round - 1)) * (0.5 + Math.random() / 2);
}

/** Requests of one turn of the event loop leave in one system call; each of its own takes half of a load's time. */
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
  const socket = options.tls
    ? tls.connect({ ...server, ...options.tls, ...(isIP(server.host) === 0 && { servername: server.host }) })
    : net.connect(server);
  connection.socket = socket;
  socket.setNoDelay();
  socket.on(options.tls ? 'secureConnect' : 'connect', () => connection.onSocketConnected());
  const splitter = new FrameSplitter(options.maxReplyBytes);
  socket.on('data', (chunk: Buffer) => {
    try {
      for (const frame of splitter.push(chunk)) {
        if (connection.state !== CONNECTING) expectReply(connection, frame);
        options.onFrame(frame);
        connection.onSocketData(frame);
      }
    } catch (error) {
      socket.destroy(error as Error);
    }
  });
  socket.on('drain', () => connection.onSocketDrain());
  socket.on('error', (error) => options.onFault(`${addressText(server)}: ${reasonOf(error)}`));
  socket.on('close', (hasError) => {
    if (!hasError && connection.state === CONNECTING) {
      options.onFault(`${addressText(server)}: it closed the connection (does the cluster have a quorum?)`);
    }
    if (connection.socket === socket) close(connection, hasError);
  });
  return socket;
}

/**
 * The driver drops a request whose answer is not the one that arrives, and never calls back. Servers answer in order, but
 * for an operation that they do not know: the thread that reads requests refuses it ahead of those before it.
 *
 * @throws {Error} when the frame answers no request whose turn it is
 */
function expectReply({ pendingQueue }: DriverConnection, frame: Buffer): void {
  const xid = frame.readInt32BE(XID_AT);
  if (xid < 0 || pendingQueue[0]?.request.header.xid === xid) return;
  const index = pendingQueue.findIndex(({ request }) => request.header.xid === xid);
  if (index < 0 || frame.readInt32BE(ERROR_AT) !== UNIMPLEMENTED) {
    throw new Error(`an answer to request ${xid} arrived out of order`);
  }
  pendingQueue.unshift(...pendingQueue.splice(index, 1));
}

/** What was queued but not sent is dropped: the driver would send it after a reconnect, though its caller was answered. */
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

/** OpenSSL's own words for what went wrong, where Node passes its whole error queue on as the message. */
function reasonOf(error: Error & { readonly reason?: unknown }): string {
  return typeof error.reason === 'string' ? error.reason : error.message || String(error);
}
