import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '../problem/problem.js';
import { parseJsonInSlices } from '../json/parse-json.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route validates the body without storing it, so strings may contain NUL and members be named `__proto__`. */
    anyText?: boolean;
  }
}

const CHARSET = /;\s*charset\s*=\s*"?([^\s";]*)/i;

/** Replaces Fastify's JSON parser, which keeps the last of two members with the same name, by the strict one. */
export function readJsonBodies(fastify: FastifyInstance): void {
  fastify.removeContentTypeParser('application/json');
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, readJson);
}

/**
 * A content type parser for JSON media types.
 *
 * @throws {Problem} 415 if the body is compressed or not UTF-8 by its charset
 * @throws {JsonBodyError} if it is not JSON, or ambiguous JSON
 */
export async function readJson(request: FastifyRequest, body: string | Buffer): Promise<unknown> {
  // Some HTTP libraries send this type with every request.
  if (body.length === 0 && request.method === 'DELETE') return undefined;
  refuseEncodings(request);
  const { anyText = false } = request.routeOptions.config;
  return parseJsonInSlices(typeof body === 'string' ? Buffer.from(body) : body, { anyText });
}

/** @throws {Problem} 415 if the body is compressed, or its charset is not UTF-8 */
export function refuseEncodings({ headers }: FastifyRequest): void {
  const coding = headers['content-encoding'] ?? 'identity';
  if (coding.toLowerCase() !== 'identity') {
    // The answer names what is supported (RFC 9110 section 12.5.3).
    const detail = 'The body is compressed (Content-Encoding), which this endpoint does not support.';
    throw new Problem({ status: 415, detail, headers: { 'accept-encoding': 'identity' } });
  }
  const [, charset = 'utf-8'] = CHARSET.exec(headers['content-type'] ?? '') ?? [];
  if (!/^utf-?8$/i.test(charset)) {
    throw new Problem({
      status: 415,
      detail: 'The charset of a JSON body must be UTF-8 (RFC 8259 section 8.1).',
    });
  }
}
