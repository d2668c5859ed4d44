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

/**
 * A proxy that behaves like a server before 3.6, which rejects multi-reads.
 *
 * @param address of a current server
 */
export async function startOlderServer(address: string): Promise<OlderServer> {
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
    keep(client).on('data', (chunk: Buffer) => {
      for (const frame of splitter.push(chunk)) upstream.write(forget(frame));
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

function forget(frame: Buffer): Buffer {
  if (frame.readInt32BE(CODE_AT) === MULTI_READ) frame.writeInt32BE(UNKNOWN, CODE_AT);
  return frame;
}
