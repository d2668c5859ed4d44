import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that listens on loopback and knows its address before it has anything to say. */
export interface Listening {
  readonly url: string;
  /** From now on requests are answered by it. */
  answerWith(listener: RequestListener): void;
  stop(): Promise<void>;
}

/**
 * @param port 0 takes a free one
 * @param variable names the port in the environment
 * @throws {Error} when it is taken
 */
export async function listen(port: number, variable: string): Promise<Listening> {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`127.0.0.1:${port} cannot be used (${code}): ${variable} names another port`, {
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
