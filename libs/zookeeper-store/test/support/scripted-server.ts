import { type AddressInfo, createServer, type Socket } from 'node:net';
import { FrameSplitter } from '../../src/session/frame-splitter.js';
import { ints } from './wire-fields.js';

/** A received request, and ways to answer it. */
export interface ScriptedRequest {
  /** 1 for the first connection. */
  readonly connection: number;
  readonly xid: number;
  /** `ZooDefs.OpCode` */
  readonly code: number;
  reply(error: number, ...fields: Buffer[]): void;
  /** Answers with another request's xid. */
  replyAs(xid: number): void;
  /** Closes the connection once pending answers are sent. */
  hangUp(): void;
}

export interface ScriptedServer {
  /** `127.0.0.1:port` */
  readonly address: string;
  stop(): Promise<void>;
}

export const PING = 11;
export const GET_CHILDREN = 8;
const CLOSE_SESSION = -11;

export interface ScriptedOptions {
  /** The negotiated session timeout. */
  readonly sessionMs?: number;
  /** Whether a new connection gets a session; otherwise it gets no reply at all. */
  readonly greets?: () => boolean;
}

/** A ZooKeeper server that opens a session for each connection and answers requests as scripted by the test. */
export async function startScriptedServer(
  onRequest: (request: ScriptedRequest) => void,
  { sessionMs = 10_000, greets = () => true }: ScriptedOptions = {},
): Promise<ScriptedServer> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    const connection = (connections += 1);
    const splitter = new FrameSplitter(2 ** 31);
    const isServed = greets();
    let isGreeted = false;
    socket.on('data', (chunk: Buffer) => {
      if (!isServed) return;
      for (const frame of splitter.push(chunk)) {
        if (isGreeted) answer(socket, connection, frame, onRequest);
        else socket.write(greeting(sessionMs));
        isGreeted = true;
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Protocol version, session timeout, session id, password. */
const greeting = (sessionMs: number): Buffer => framed(ints(0, sessionMs, 0, 1, 16), Buffer.alloc(16));

function answer(
  socket: Socket,
  connection: number,
  frame: Buffer,
  onRequest: (request: ScriptedRequest) => void,
): void {
  const xid = frame.readInt32BE(4);
  const code = frame.readInt32BE(8);
  const send = (number: number, error: number, fields: readonly Buffer[]): void => {
    socket.write(framed(ints(number, 0, 0, error), ...fields));
  };
  if (code === CLOSE_SESSION) {
    send(xid, 0, []);
    return void socket.end();
  }
  onRequest({
    connection,
    code,
    xid,
    reply: (error, ...fields) => send(xid, error, fields),
    replyAs: (other) => send(other, 0, []),
    hangUp: () => socket.end(),
  });
}

function framed(...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([ints(content.length), content]);
}
