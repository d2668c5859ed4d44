import { Problem } from '@svc/service-kit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { parsePosition } from './change-position.js';
import { type Freshness, ReadContext, readContext } from '../database/read-context.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route decides about credentials, so its data must be recent. */
    decidesAboutCredentials?: boolean;
    /** Authorization servers decide about credentials by the route's data; for others it is a page like any other. */
    servesAuthorizationServers?: boolean;
  }
}

/** How long callers read their own writes, in milliseconds: standbys that are further behind are not read from. */
const OWN_WRITES_MS = 600_000;

/** Callers whose writes are remembered. */
const MAX_WRITERS = 10_000;

/**
 * Decides which servers each request may read from: those that change nothing may read from standbys, and none sees a state
 * before its caller's last change. `Data-Age` reports the age of data read from a standby.
 */
export function chooseWhereToRead(fastify: FastifyInstance): void {
  const contexts = new WeakMap<FastifyRequest, ReadContext>();
  const lastWrites = new Map<string, number>();
  fastify.addHook('onRequest', (request, _reply, done) => {
    let context: ReadContext;
    try {
      context = new ReadContext(freshnessOf(request), leastChangeOf(request));
    } catch (error) {
      return done(error as Error);
    }
    contexts.set(request, context);
    readContext.run(context, done);
  });
  // Again: the context is lost while a body is read. The caller is known by now.
  fastify.addHook('preValidation', (request, _reply, done) => {
    const context = contexts.get(request);
    if (!context) return done();
    context.freshness = freshnessOf(request);
    const lastWrite = request.principal && lastWrites.get(request.principal.id);
    if (lastWrite !== undefined) context.lastWrite = lastWrite;
    readContext.run(context, done);
  });
  fastify.addHook('onSend', (request, reply, payload, done) => {
    const { asOf, freshness } = contexts.get(request) ?? {};
    if (asOf !== undefined) void reply.header('data-age', Math.ceil((performance.now() - asOf) / 1_000));
    const hasWritten = freshness === 'current' && reply.statusCode < 400;
    if (hasWritten && request.principal) remember(lastWrites, request.principal.id);
    done(null, payload);
  });
}

function freshnessOf(request: FastifyRequest): Freshness {
  const { decidesAboutCredentials, servesAuthorizationServers } = request.routeOptions.config;
  if (decidesAboutCredentials) return 'credentials';
  if (servesAuthorizationServers && isAuthorizationServer(request)) return 'credentials';
  return isSafe(request) ? 'recent' : 'current';
}

/** Only administrators and their programs hold `clients:read`. */
function isAuthorizationServer({ principal }: FastifyRequest): boolean {
  return principal !== undefined && !principal.scopes.includes('clients:read');
}

/** Methods that change nothing (RFC 9110 section 9.2.1). */
function isSafe({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** @throws {Problem} 400 */
function leastChangeOf({ headers }: FastifyRequest): number {
  const given = headers['min-change-seq'];
  if (given === undefined) return 0;
  const position = typeof given === 'string' ? parsePosition(given) : undefined;
  if (position) return position.seq;
  const message = 'Min-Change-Seq must be the position of a change, such as Change-Seq and cursor';
  throw new Problem({
    status: 400,
    detail: `${message}.`,
    errors: [{ field: '/Min-Change-Seq', code: 'minChangeSeq', message }],
  });
}

/** The most recent writer comes last. */
function remember(lastWrites: Map<string, number>, writer: string): void {
  const now = performance.now();
  lastWrites.delete(writer);
  lastWrites.set(writer, now);
  for (const [id, at] of lastWrites) {
    if (lastWrites.size <= MAX_WRITERS && now - at < OWN_WRITES_MS) break;
    lastWrites.delete(id);
  }
}
