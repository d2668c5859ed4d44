import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** A scripted server, for responses a real registry never gives. */
export interface FakeServer {
  readonly url: string;
  readonly port: number;
  /** Method, path and Authorization of each request. */
  readonly requests: string[];
  stop(): Promise<void>;
}

export async function startFakeServer(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  tls?: { readonly key: Buffer; readonly cert: Buffer },
): Promise<FakeServer> {
  const requests: string[] = [];
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    requests.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    request.resume();
    request.on('end', () => answer(request, response));
  };
  const server = tls ? createTlsServer(tls, listener) : createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    port,
    requests,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
