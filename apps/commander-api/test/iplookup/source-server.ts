import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeCertificates } from '@svc/test-servers';

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** An HTTPS server for sources of lookups. */
export interface SourceServer {
  readonly origin: string;
  /** The certificate of its CA. */
  readonly ca: string;
  /** Responses by path; 404 for others. */
  answers: Record<string, Answer>;
  requests: { readonly path: string; readonly headers: IncomingMessage['headers'] }[];
  stop(): Promise<void>;
}

export async function startSourceServer(): Promise<SourceServer> {
  const folder = mkdtempSync(join(tmpdir(), 'svccmd-sources-'));
  const certificates = await makeCertificates(folder);
  const server = createServer({
    key: readFileSync(certificates.serverKey),
    cert: readFileSync(certificates.serverCert),
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sources: SourceServer = {
    origin: `https://localhost:${(server.address() as AddressInfo).port}`,
    ca: certificates.ca,
    answers: {},
    requests: [],
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      rmSync(folder, { recursive: true });
    },
  };
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    sources.requests.push({ path: request.url!, headers: request.headers });
    const answer = sources.answers[request.url!.replace(/\?.*/, '')];
    if (answer) answer(request, response);
    else response.writeHead(404).end();
  });
  return sources;
}

/** Answers with an ETag, and 304 to a client that has the content. */
export function sendFile(content: string | Uint8Array): Answer {
  const etag = `"${createHash('sha256').update(content).digest('hex').slice(0, 8)}"`;
  return (request, response) => {
    if (request.headers['if-none-match'] === etag) response.writeHead(304).end();
    else response.writeHead(200, { etag, 'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT' }).end(content);
  };
}
