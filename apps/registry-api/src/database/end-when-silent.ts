import type { Socket } from 'node:net';
import type { Client, ClientBase } from 'pg';

/** How long a server may leave a statement without its whole answer and say nothing, in milliseconds; 0: for ever. */
export type SilenceMs = number;

/** The network's own code for a peer that fell silent. */
class SilentServerError extends Error {
  readonly code = 'ETIMEDOUT';
}

/**
 * Ends a connection whose server says nothing for so long while a statement waits for its answer. It is the server that
 * ends statements for their time: one that is frozen, or cut off without a reset, does not, and would keep the connection
 * and its caller for ever. Connections that nobody asks anything may be silent as long as they like.
 */
export function endWhenSilent(client: ClientBase, silenceMs: SilenceMs): void {
  const connection = connectionOf(client);
  const socket = socketOf(client);
  let answered = socket.bytesWritten;
  // Ahead of the driver, which may send the next statement at once.
  connection.prependListener('readyForQuery', () => (answered = socket.bytesWritten));
  socket.on('timeout', () => {
    // An answer that came while this process was busy is read before this.
    setImmediate(() => {
      if (socket.bytesWritten > answered) socket.destroy(new SilentServerError('the database fell silent'));
    });
  });
  waitFor(client, silenceMs);
}

/** Changes how long the server may be silent, from now on. */
export function waitFor(client: ClientBase, silenceMs: SilenceMs): void {
  socketOf(client).setTimeout(silenceMs);
}

/** Of TLS the one above it, which knows when statements and answers pass. */
function socketOf(client: ClientBase): Socket {
  return connectionOf(client).stream as Socket;
}

/** Missing in the driver's types for what pools give. */
function connectionOf(client: ClientBase): Client['connection'] {
  return (client as ClientBase & Pick<Client, 'connection'>).connection;
}
