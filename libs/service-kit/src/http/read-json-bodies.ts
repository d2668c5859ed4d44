import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '../problem/problem.js';
import { parseJsonInSlices } from '../json/parse-json.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route judges what was sent and stores none of it: strings may hold NUL, members may be named `__proto__`. */
    anyText?: boolean;
  }
}

const CHARSET = /;\s*charset\s*=\s*"?([^\s";]*)/i;

/** Puts the strict parser in the place of Fastify's own, which takes the last of two equal names. */
export function readJsonBodies(fastify: FastifyInstance): void {
  fastify.removeContentTypeParser('application/json');
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, readJson);
}

/**
 * A content type parser for any kind of JSON.
 *
 * @throws {Problem} 415 when the body is not what a JSON text can be
 * @throws {JsonBodyError} when it is no JSON, or JSON that may mean more than one thing
 */
export async function readJson(request: FastifyRequest, body: string | Buffer): Promise<unknown> {
  refuseEncodings(request);
  const { anyText = false } = request.routeOptions.config;
  return parseJsonInSlices(typeof body === 'string' ? Buffer.from(body) : body, { anyText });
}

/** @throws {Problem} 415 when the body is compressed, or its charset is not UTF-8 */
export function refuseEncodings({ headers }: FastifyRequest): void {
  const coding = headers['content-encoding'] ?? 'identity';
  if (coding.toLowerCase() !== 'identity') {
    // RFC 9110 section 12.5.3: what would be taken.
    const detail = 'The body is compressed (Content-Encoding), which this endpoint does not take.';
    throw new Problem({ status: 415, detail, headers: { 'accept-encoding': 'identity' } });
  }
  const [, charset = 'utf-8'] = CHARSET.exec(headers['content-type'] ?? '') ?? [];
  if (!/^utf-?8$/i.test(charset)) {
    throw new Problem({ status: 415, detail: 'The charset of a JSON body is UTF-8 (RFC 8259 section 8.1).' });
  }
}
