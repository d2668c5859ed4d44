import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** A server that answers as a test wants: what a sound registry never does. */
export interface FakeServer {
  readonly url: string;
  readonly port: number;
  /** Method, path and Authorization of each request. */
  readonly asked: string[];
  stop(): Promise<void>;
}

export async function startFakeServer(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  tls?: { readonly key: Buffer; readonly cert: Buffer },
): Promise<FakeServer> {
  const asked: string[] = [];
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    request.resume();
    request.on('end', () => answer(request, response));
  };
  const server = tls ? createTlsServer(tls, listener) : createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    port,
    asked,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
