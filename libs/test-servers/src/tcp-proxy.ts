import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A proxy between a client and a server on loopback that can cut or stall connections. */
export interface TcpProxy {
  /** `127.0.0.1:port` */
  readonly address: string;
  /** Bytes forwarded so far, both ways. */
  readonly bytes: number;
  /** Resets every connection; new ones pass. */
  cut(): void;
  /** New connections go there from now on, as when a name changes its address. @param target `host:port` */
  retarget(target: string): void;
  /** Stops forwarding while still accepting connections, like an unplugged cable. */
  stall(): void;
  /** Resolves once this many bytes were sent to the server; with `stall`, nothing passes after them. */
  sent(bytes: number, options?: { readonly stall?: boolean }): Promise<void>;
  /** Ends the stall: stalled connections are reset, new ones pass. */
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
    get bytes() {
      return wire.bytes;
    },
    cut: () => wire.cut(),
    retarget: (next) => wire.retarget(next),
    stall: () => wire.stall(),
    sent: (bytes, { stall = false } = {}) => wire.sent(bytes, stall),
    resume: () => wire.resume(),
    stop: async () => {
      wire.cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The sockets of a proxy, and whether it forwards data. */
class Wire {
  bytes = 0;
  private readonly sockets = new Set<Socket>();
  private readonly resetting = new WeakSet<Socket>();
  private host = '';
  private port = 0;
  private stalled = false;
  private sentBytes = 0;
  private waiting:
    { readonly bytes: number; readonly stall: boolean; readonly resolve: () => void } | undefined;

  constructor(target: string) {
    this.retarget(target);
  }

  retarget(target: string): void {
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
    // A reset shuts the socket down first. One that is destroyed meanwhile, or was being shut down already, stays open,
    // and the process spins at its exit (libuv refuses the reset with EINVAL, Node.js assumes the handle is closed).
    for (const socket of this.sockets) {
      if (socket.writableLength > 0 || socket.writableEnded) {
        socket.destroy();
        continue;
      }
      this.resetting.add(socket);
      socket.resetAndDestroy();
    }
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
      this.bytes += chunk.length;
      passed(chunk.length);
    });
    from.on('close', () => {
      // What was received before still has to be delivered.
      if (!this.resetting.has(to)) to.destroySoon();
    });
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
