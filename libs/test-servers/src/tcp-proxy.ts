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
  const wire = new Wire(target);
  const server = createServer((client) => wire.join(client));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut: () => wire.cut(),
    stall: () => wire.stall(),
    sent: (bytes, { stall = false } = {}) => wire.sent(bytes, stall),
    resume: () => wire.resume(),
    stop: async () => {
      wire.cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The sockets of a proxy, and whether anything passes between them. */
class Wire {
  private readonly sockets = new Set<Socket>();
  private readonly host: string;
  private readonly port: number;
  private stalled = false;
  private sentBytes = 0;
  private waiting:
    { readonly bytes: number; readonly stall: boolean; readonly resolve: () => void } | undefined;

  constructor(target: string) {
    const [host = '', port = ''] = target.split(':');
    this.host = host;
    this.port = Number(port);
  }

  join(client: Socket): void {
    this.keep(client);
    if (this.stalled) return;
    const upstream = this.keep(connect(this.port, this.host));
    this.pass(client, upstream, (bytes) => this.count(bytes));
    this.pass(upstream, client, () => undefined);
  }

  cut(): void {
    for (const socket of this.sockets) socket.resetAndDestroy();
  }

  stall(): void {
    this.stalled = true;
  }

  resume(): void {
    this.stalled = false;
    this.cut();
  }

  sent(bytes: number, stall: boolean): Promise<void> {
    return new Promise((resolve) => {
      this.waiting = { bytes: this.sentBytes + bytes, stall, resolve };
    });
  }

  private pass(from: Socket, to: Socket, passed: (bytes: number) => void): void {
    from.on('data', (chunk) => {
      if (this.stalled) return;
      to.write(chunk);
      passed(chunk.length);
    });
    from.on('close', () => to.destroy());
  }

  private count(bytes: number): void {
    this.sentBytes += bytes;
    if (!this.waiting || this.sentBytes < this.waiting.bytes) return;
    this.stalled ||= this.waiting.stall;
    this.waiting.resolve();
    this.waiting = undefined;
  }

  private keep(socket: Socket): Socket {
    this.sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.sockets.delete(socket));
    return socket;
  }
}
