import net, { isIP, type Socket } from 'node:net';
import tls from 'node:tls';
import { CONNECTED, CONNECTING, type DriverConnection } from '../driver.js';
import { FrameSplitter } from './frame-splitter.js';
import { UNIMPLEMENTED } from '../zookeeper-error.js';
import { addressText, type ZookeeperAddress } from '../zookeeper-addresses.js';

export interface ConnectionOptions {
  readonly servers: readonly ZookeeperAddress[];
  /** How long TCP, TLS and ZooKeeper's own greeting may take together, per server. */
  readonly handshakeMs: number;
  readonly tls?: tls.SecureContextOptions | undefined;
  /** Told why a connection could not be made or was given up. */
  readonly onFault: (fault: string) => void;
  /** Handed each frame just before the driver handles it. */
  readonly onFrame: (frame: Buffer) => void;
}

const FIRST_DELAY_MS = 50;
const LONGEST_DELAY_MS = 1_000;
const WATCH_INTERVAL_MS = 100;
/** Where a reply has its request's number and its error, behind its length. */
const XID_AT = 4;
const ERROR_AT = 16;

/**
 * Takes over the driver's way of connecting. The driver's own hides every socket error, waits for ever for a server that
 * accepts connections but says nothing, never notices a server that falls silent, and knows no TLS.
 *
 * @returns ends it: no further attempt is made
 */
export function hardenConnection(connection: DriverConnection, options: ConnectionOptions): () => void {
  const servers = shuffle(options.servers);
  let attempts = 0;
  let timer: NodeJS.Timeout | undefined;
  let ended = false;
  connection.on('state', (state: number) => {
    if (state === CONNECTED) attempts = 0;
  });
  gatherWrites(connection);
  connection.connect = () => {
    if (ended) return;
    connection.setState(CONNECTING);
    const server = servers[attempts % servers.length]!;
    const round = Math.floor(attempts / servers.length);
    attempts += 1;
    timer = setTimeout(() => open(connection, server, options), delayOf(round));
  };
  return () => {
    ended = true;
    clearTimeout(timer);
    connection.socket?.destroy();
  };
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

function open(connection: DriverConnection, server: ZookeeperAddress, options: ConnectionOptions): void {
  const socket = options.tls
    ? tls.connect({ ...server, ...options.tls, ...(isIP(server.host) === 0 && { servername: server.host }) })
    : net.connect(server);
  connection.socket = socket;
  socket.setNoDelay();
  const stopWatching = watch(connection, socket, options.handshakeMs);
  socket.on(options.tls ? 'secureConnect' : 'connect', () => connection.onSocketConnected());
  const splitter = new FrameSplitter();
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
    stopWatching();
    if (connection.socket === socket) close(connection, hasError);
  });
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
    throw new Error(`an answer to request ${xid} arrived out of turn`);
  }
  pendingQueue.unshift(...pendingQueue.splice(index, 1));
}

/** What was queued but not sent is dropped: the driver would send it after a reconnect, though its caller was answered. */
function close(connection: DriverConnection, hasError: boolean): void {
  connection.packetQueue.queue.length = 0;
  connection.onSocketClosed(hasError);
}

/** Destroys a socket that gets no session in time, or on which nothing arrives for two thirds of the session. */
function watch(connection: DriverConnection, socket: Socket, handshakeMs: number): () => void {
  const start = Date.now();
  let bytes = 0;
  let since = start;
  let lastLook = start;
  const timer = setInterval(() => {
    const now = Date.now();
    // When this process itself was held up, the answers may be waiting to be read.
    if (socket.bytesRead !== bytes || now - lastLook > 5 * WATCH_INTERVAL_MS) since = now;
    bytes = socket.bytesRead;
    lastLook = now;
    if (connection.state === CONNECTING && now - start > handshakeMs) {
      socket.destroy(
        new Error(
          `no session within ${Math.round(handshakeMs)} ms (is it a ZooKeeper server, and is TLS set alike?)`,
        ),
      );
    } else if (connection.state === CONNECTED && now - since > (connection.sessionTimeout * 2) / 3) {
      socket.destroy(new Error(`the server was silent for ${now - since} ms`));
    }
  }, WATCH_INTERVAL_MS);
  timer.unref();
  return () => clearInterval(timer);
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
