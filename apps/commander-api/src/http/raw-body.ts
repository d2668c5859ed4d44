import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { AddRouteConfig, Problem } from '@svc/service-kit';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** How long the rest of a rejected body is read, in milliseconds. */
const DISCARD_MS = 10_000;

/** How a route reads its body. */
interface RawBodyOptions {
  /** Whether a JSON body is parsed as on any other route (the default), answered with 415 unread, or raw as well. */
  readonly json: 'parsed' | 'refused' | 'raw';
  /** `slowly`: the handler enforces its own time limits, which are longer than on other routes. */
  readonly receives?: 'slowly';
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How the route reads its body; parsed as JSON when absent. */
    rawBody?: RawBodyOptions;
  }
}

/**
 * The route reads its body itself: `@Body()` (or `request.body`) is the request's stream; for JSON, only if `json` is `raw`.
 * The handler must limit the size.
 */
export const RawBody = (json: RawBodyOptions['json'] = 'parsed', receives?: RawBodyOptions['receives']) =>
  AddRouteConfig({
    rawBody: receives === undefined ? { json } : { json, receives },
    streamsBody: receives === 'slowly',
  });

/** A body of any type but JSON reaches only routes with {@link RawBody}; elsewhere it is 415. */
export function acceptRawBodies(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', async (request) => {
    const { json, receives } = rawBodyOf(request) ?? {};
    // The handler enforces its own time limits, and may be silent while it works.
    if (receives === 'slowly') request.raw.socket.setTimeout(0);
    if (json === 'refused' && isJson(request.headers['content-type'] ?? '')) {
      throw new Problem({ status: 415, detail: 'This endpoint takes plain text, not JSON.' });
    }
    if (json === 'raw') request.headers['content-type'] = 'application/octet-stream';
  });
  fastify.addHook('onResponse', async (request) => {
    if (rawBodyOf(request)) discardRest(request.raw);
  });
  fastify.addContentTypeParser('*', async (request: FastifyRequest, payload: IncomingMessage) => {
    if (!rawBodyOf(request)) throw new Problem({ status: 415, detail: 'The body must be application/json.' });
    return payload;
  });
}

/**
 * Reads and drops what an answered request still sends, for a while: clients read the response only after sending their
 * body, and unread bytes would block the connection forever.
 */
function discardRest(request: IncomingMessage): void {
  if (request.complete) return;
  const { socket } = request;
  if (request.destroyed) return void socket.destroySoon();
  const timer = setTimeout(() => socket.destroy(), DISCARD_MS);
  const stop = (): void => clearTimeout(timer);
  request.once('end', stop).once('close', stop).resume();
}

/** How the request's route reads its body; `undefined` for the usual way. */
export function rawBodyOf(request: FastifyRequest): RawBodyOptions | undefined {
  return request.routeOptions.config.rawBody;
}

/** `application/json` and every `+json` type (RFC 6839 section 3.1). */
function isJson(contentType: string): boolean {
  return /^\s*(application\/json|[^\s/;]+\/[^\s/;]+\+json)\s*(;|$)/i.test(contentType);
}

/**
 * Reads a raw body into memory.
 *
 * @param limit largest size, in bytes
 * @throws {Problem} 413 if it is larger
 */
export async function readRawBody(body: unknown, limit: number): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  await eachChunk(body, limit, (chunk) => chunks.push(chunk));
  return Buffer.concat(chunks);
}

/**
 * Reads a raw body without keeping it.
 *
 * @param limit largest size, in bytes
 * @throws {Problem} 413 if it is larger
 */
export async function eachChunk(body: unknown, limit: number, use: (chunk: Buffer) => void): Promise<void> {
  let size = 0;
  // Not destroyed if it is too large: the rest is discarded once the response is sent.
  for await (const chunk of chunksOf(body)) {
    size += chunk.length;
    if (size > limit) throw new Problem({ status: 413, detail: `The body is larger than ${limit} bytes.` });
    use(chunk);
  }
}

function chunksOf(body: unknown): AsyncIterable<Buffer> | readonly Buffer[] {
  return body instanceof Readable ? (body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) : [];
}
