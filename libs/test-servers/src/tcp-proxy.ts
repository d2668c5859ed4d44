import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A wire between a client and a server on loopback that can be cut or clogged. */
export interface TcpProxy {
  /** `127.0.0.1:port` */
  readonly address: string;
  /** Resets every connection; new ones are let through. */
  cut(): void;
  /** From now on nothing passes, though connections are still accepted, as when a cable is pulled. */
  stall(): void;
  /** Ends the stall: what stalled is reset, new connections pass. */
  resume(): void;
  stop(): Promise<void>;
}

/** @param target `host:port` */
export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const [host = '', port = ''] = target.split(':');
  const sockets = new Set<Socket>();
  let stalled = false;
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
        if (!stalled) to.write(chunk);
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
