import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** A span as it arrived. */
export interface CollectedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  /** 1 internal, 2 server, 3 client. */
  readonly kind: number;
  readonly status: { readonly code?: number };
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Attributes of the process. */
  readonly resource: Readonly<Record<string, unknown>>;
}

/** Receives traces in OTLP's JSON over HTTP, as an OpenTelemetry collector does. */
export interface TraceCollector {
  readonly url: string;
  readonly spans: readonly CollectedSpan[];
  /** Everything that was received, to check that it contains nothing sensitive. */
  readonly received: () => string;
  /** Headers of the last export. */
  readonly headers: () => Readonly<Record<string, unknown>>;
  /** @param silent accepts exports and never responds */
  setSilent(silent: boolean): void;
  close(): Promise<void>;
}

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

type WireSpan = Omit<CollectedSpan, 'attributes' | 'resource'> & { readonly attributes: Attribute[] };

interface ExportRequest {
  readonly resourceSpans: {
    readonly resource: { readonly attributes: Attribute[] };
    readonly scopeSpans: { readonly spans: WireSpan[] }[];
  }[];
}

/** @param port 0 for a free one */
export async function startTraceCollector(port = 0): Promise<TraceCollector> {
  const requests: ExportRequest[] = [];
  let headers: Readonly<Record<string, unknown>> = {};
  let isSilent = false;
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      if (isSilent) return;
      headers = request.headers;
      requests.push(body as ExportRequest);
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get spans() {
      return requests.flatMap(spansOf);
    },
    received: () => JSON.stringify(requests),
    headers: () => headers,
    setSilent: (silent) => (isSilent = silent),
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function spansOf({ resourceSpans }: ExportRequest): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        ...span,
        attributes: toRecord(span.attributes),
        resource: toRecord(resource.attributes),
      })),
    ),
  );
}

function toRecord(attributes: readonly Attribute[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
