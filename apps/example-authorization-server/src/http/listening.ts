import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server listening on loopback, whose address is known before it has a request handler. */
export interface Listening {
  readonly url: string;
  /** Sets the request handler. */
  answerWith(listener: RequestListener): void;
  stop(): Promise<void>;
}

/**
 * @param port 0 for any free port
 * @param variable environment variable of the port, for messages
 * @throws {Error} if the port is in use
 */
export async function listen(port: number, variable: string): Promise<Listening> {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`127.0.0.1:${port} cannot be used (${code}): set ${variable} to another port`, {
      cause: error,
    });
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answerWith: (listener) => void server.on('request', listener),
    stop: () => stop(server),
  };
}

/** Requests in progress have this long to end, in milliseconds. */
const GRACE_MS = 5_000;

async function stop(server: Server): Promise<void> {
  const timer = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  // Else a busy connection would be kept alive, and cut in the middle of a request.
  server.prependListener('request', (_, response) => response.setHeader('Connection', 'close'));
  server.close();
  await once(server, 'close');
  clearTimeout(timer);
}
