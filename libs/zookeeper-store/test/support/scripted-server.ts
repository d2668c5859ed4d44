import { type AddressInfo, createServer, type Socket } from 'node:net';
import { FrameSplitter } from '../../src/session/frame-splitter.js';
import { ints } from './wire-fields.js';

/** A request as it arrived, and the ways to answer it. */
export interface ScriptedRequest {
  /** 1 for the first connection. */
  readonly connection: number;
  readonly xid: number;
  /** `ZooDefs.OpCode` */
  readonly code: number;
  reply(error: number, ...fields: Buffer[]): void;
  /** Answers under another request's number. */
  replyAs(xid: number): void;
  /** Ends the connection, after what was answered. */
  hangUp(): void;
}

export interface ScriptedServer {
  /** `127.0.0.1:port` */
  readonly address: string;
  stop(): Promise<void>;
}

const PING = 11;
const CLOSE_SESSION = -11;
const SESSION_MS = 10_000;

/** A ZooKeeper server that greets each connection, and answers requests as the test says. */
export async function startScriptedServer(
  onRequest: (request: ScriptedRequest) => void,
): Promise<ScriptedServer> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    const connection = (connections += 1);
    const splitter = new FrameSplitter();
    let isGreeted = false;
    socket.on('data', (chunk: Buffer) => {
      for (const frame of splitter.push(chunk)) {
        if (isGreeted) answer(socket, connection, frame, onRequest);
        else socket.write(GREETING);
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

/** Protocol, session time-out, session, password. */
const GREETING = framed(ints(0, SESSION_MS, 0, 1, 16), Buffer.alloc(16));

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
  if (code === PING || code === CLOSE_SESSION) {
    send(xid, 0, []);
    if (code === CLOSE_SESSION) socket.end();
    return;
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
