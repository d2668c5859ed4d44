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
 * @param port 0 takes a free one
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

async function stop(server: Server): Promise<void> {
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
}
