import type { Socket } from 'node:net';
import type { Client, ClientBase } from 'pg';

/** For a statement and its response; after that the connection is closed. */
export const RESPONSE_TIMEOUT_MS = 7_000;

/** The network's own code for a peer that stopped responding. */
class ResponseTimeoutError extends Error {
  readonly code = 'ETIMEDOUT';
}

/**
 * Closes a connection when the server stays silent for `timeoutMs` while a statement waits for its response. Statement
 * timeouts are the server's to enforce: one that is frozen, or cut off without a reset, enforces none, and would hold the
 * connection and its caller forever. Idle connections may stay silent indefinitely.
 */
export function closeOnSilence(client: ClientBase, timeoutMs: number): void {
  const connection = connectionOf(client);
  const socket = socketOf(client);
  let answered = socket.bytesWritten;
  // Ahead of the driver's own listener, which may send the next statement immediately.
  connection.prependListener('readyForQuery', () => (answered = socket.bytesWritten));
  socket.on('timeout', () => {
    // A response that arrived while this process was busy is read first.
    setImmediate(() => {
      if (socket.bytesWritten > answered)
        socket.destroy(new ResponseTimeoutError('the database stopped responding'));
    });
  });
  setResponseTimeout(client, timeoutMs);
}

/** How much the server has sent on a connection so far. */
export function receivedBytes(client: ClientBase): number {
  return socketOf(client).bytesRead;
}

/** Closes a connection whose server will not respond any more. */
export function closeBroken(client: ClientBase, reason: string): void {
  socketOf(client).destroy(new ResponseTimeoutError(reason));
}

/** From now on. @param timeoutMs 0: none */
export function setResponseTimeout(client: ClientBase, timeoutMs: number): void {
  socketOf(client).setTimeout(timeoutMs);
}

/** With TLS the outer socket, which sees statements and responses pass. */
function socketOf(client: ClientBase): Socket {
  return connectionOf(client).stream as Socket;
}

/** Missing in the driver's types for pooled clients. */
function connectionOf(client: ClientBase): Client['connection'] {
  return (client as ClientBase & Pick<Client, 'connection'>).connection;
}
