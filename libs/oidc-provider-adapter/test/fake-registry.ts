import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** A scripted server, for responses a real registry never gives. */
export interface FakeRegistry {
  readonly url: string;
  /** Method, path and Authorization of each request. */
  readonly requests: string[];
  /** Min-Change-Seq of each request for a Client. */
  readonly leastChanges: (string | undefined)[];
  /** The request bodies. */
  readonly bodies: string[];
  stop(): Promise<void>;
}

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export async function startFakeRegistry(
  answer: Answer,
  tls?: { readonly key: Buffer; readonly cert: Buffer },
): Promise<FakeRegistry> {
  const requests: string[] = [];
  const bodies: string[] = [];
  const leastChanges: (string | undefined)[] = [];
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    requests.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    if (request.url?.startsWith('/client/')) {
      leastChanges.push(request.headers['min-change-seq'] as string | undefined);
    }
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.once('end', () => {
      bodies.push(body);
      answer(request, response);
    });
  };
  const server = tls ? createTlsServer(tls, listener) : createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    leastChanges,
    bodies,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
