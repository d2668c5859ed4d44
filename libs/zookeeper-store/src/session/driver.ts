import zookeeper, { type Client } from 'node-zookeeper-client';
import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import type { WireRequest } from '../wire/wire-request.js';

interface Packet {
  readonly request: { readonly header: { readonly xid: number } };
}

/** The driver's internals that have to be patched. */
export interface DriverConnection extends EventEmitter {
  servers: { readonly host: string; readonly port: number }[];
  socket: Socket | undefined;
  readonly state: number;
  readonly sessionTimeout: number;
  /** Idle time after which the driver sends a ping. */
  pingTimeout: number;
  readonly packetQueue: EventEmitter & { readonly queue: Packet[] };
  /** Sent but not yet answered, in order. */
  readonly pendingQueue: Packet[];
  connect(): void;
  queue(request: WireRequest, callback: (error?: Error | null) => void): void;
  setState(state: number): void;
  onSocketConnected(): void;
  onSocketData(chunk: Buffer): void;
  onSocketDrain(): void;
  onPacketQueueReadable(): void;
  onSocketClosed(hasError: boolean): void;
}

/** `ConnectionManager.STATES` */
export const CONNECTING = 1;
export const CONNECTED = 2;

export type DriverClient = Client & { readonly connectionManager: DriverConnection };

interface ExceptionFactory {
  create: (code: number, path?: string) => Error;
}

/** On an unknown error code the driver throws in its socket handler, which would crash the process. */
function acceptUnknownCodes(): void {
  const factory = zookeeper.Exception as unknown as ExceptionFactory;
  const original = factory.create;
  factory.create = (code, path) => {
    try {
      return original(code, path);
    } catch {
      return Object.assign(new Error(`ZooKeeper error ${code}`), { code });
    }
  };
}

acceptUnknownCodes();

/** Creates an unconnected client. No retries: the driver repeats writes without checking whether they took effect. */
export function createDriverClient(sessionTimeoutMs: number): DriverClient {
  const client = zookeeper.createClient('127.0.0.1:1', { sessionTimeout: sessionTimeoutMs, retries: 0 });
  return client as DriverClient;
}
