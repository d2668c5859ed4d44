import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A wire between a client and a server on loopback that can be cut or clogged. */
export interface TcpProxy {
  /** `127.0.0.1:port` */
  readonly address: string;
  /** Resets every connection; new ones are let through. */
  cut(): void;
  /** From now on nothing passes, though connections are still accepted, as when a cable is pulled. */
  stall(): void;
  /** Resolves once so many bytes went to the server, and with `stall` lets nothing pass after them. */
  sent(bytes: number, options?: { readonly stall?: boolean }): Promise<void>;
  /** Ends the stall: what stalled is reset, new connections pass. */
  resume(): void;
  stop(): Promise<void>;
}

/** @param target `host:port` */
export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const [host = '', port = ''] = target.split(':');
  const sockets = new Set<Socket>();
  let stalled = false;
  let sentBytes = 0;
  let waiting: { readonly bytes: number; readonly stall: boolean; readonly resolve: () => void } | undefined;
  const count = (bytes: number) => {
    sentBytes += bytes;
    if (!waiting || sentBytes < waiting.bytes) return;
    stalled ||= waiting.stall;
    waiting.resolve();
    waiting = undefined;
  };
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    return socket;
  };
  const server = createServer((client) => {
    keep(client);
    if (stalled) return;
    const upstream = keep(connect(Number(port), host));
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on('data', (chunk) => {
        if (stalled) return;
        to.write(chunk);
        if (from === client) count(chunk.length);
      });
      from.on('close', () => to.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    stall: () => {
      stalled = true;
    },
    sent: (bytes, { stall = false } = {}) =>
      new Promise((resolve) => {
        waiting = { bytes: sentBytes + bytes, stall, resolve };
      }),
    resume: () => {
      stalled = false;
      cut();
    },
    stop: async () => {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
