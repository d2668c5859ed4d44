import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { FrameSplitter } from '../../src/session/frame-splitter.js';

export interface OlderServer {
  /** `127.0.0.1:port` */
  readonly address: string;
  /** Number of connections so far. */
  readonly connections: number;
  stop(): Promise<void>;
}

/** Offset of the operation code in a request, after length and xid. */
const CODE_AT = 8;
const MULTI_READ = 22;
const UNKNOWN = 9_922;
const MULTI = 14;
const UNIMPLEMENTED = -6;

/**
 * A proxy that behaves like a server before 3.6, which rejects multi-reads.
 *
 * @param address of a current server
 * @param closesLate true if it goes on answering after a rejection, and closes the connection when a write arrives
 */
export async function startOlderServer(address: string, closesLate = false): Promise<OlderServer> {
  const [host, port] = address.split(':');
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  };
  let connections = 0;
  const server = createServer((client) => {
    connections += 1;
    const upstream = keep(connect(Number(port), host));
    const splitter = new FrameSplitter(2 ** 31);
    let hasRejected = false;
    const pass = (frame: Buffer): void => {
      const code = frame.readInt32BE(CODE_AT);
      if (!closesLate) upstream.write(forget(frame));
      else if (code === MULTI_READ) {
        hasRejected = true;
        client.write(rejection(frame.readInt32BE(4)));
      } else if (hasRejected && code === MULTI) client.destroy();
      else upstream.write(frame);
    };
    keep(client).on('data', (chunk: Buffer) => {
      for (const frame of splitter.push(chunk)) pass(frame);
    });
    // The last reply before the server hangs up must still be delivered.
    pipeline(upstream, client, () => undefined);
    client.on('close', () => upstream.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    get connections() {
      return connections;
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Length, xid, zxid and error. */
function rejection(xid: number): Buffer {
  const reply = Buffer.alloc(20);
  reply.writeInt32BE(16, 0);
  reply.writeInt32BE(xid, 4);
  reply.writeInt32BE(UNIMPLEMENTED, 16);
  return reply;
}

function forget(frame: Buffer): Buffer {
  if (frame.readInt32BE(CODE_AT) === MULTI_READ) frame.writeInt32BE(UNKNOWN, CODE_AT);
  return frame;
}
