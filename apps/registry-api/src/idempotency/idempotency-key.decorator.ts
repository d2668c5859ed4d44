import { applyDecorators } from '@nestjs/common';
import { ApiHeader, type ApiResponseOptions } from '@nestjs/swagger';
import { AddRouteConfig, Problem } from '@svc/service-kit';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route's handler makes a request with an Idempotency-Key take effect once. */
    takesIdempotencyKey?: boolean;
  }
}

/** The handler accepts an Idempotency-Key. @param description what a repeated request returns */
export const TakesIdempotencyKey = (description: string) =>
  applyDecorators(
    AddRouteConfig({ takesIdempotencyKey: true }),
    ApiHeader({ name: 'Idempotency-Key', required: false, description }),
  );

/** For the API document of routes without the decorator that answer 400 for nothing else. */
export const NO_IDEMPOTENCY_KEY: ApiResponseOptions = {
  status: 400,
  description: 'The request has an Idempotency-Key, which would have no effect.',
};

/** Methods that change nothing, where a key is meaningless. */
const SAFE: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Rejects an Idempotency-Key where it would have no effect, since a caller who sends one relies on it; after
 * authentication and before the body is read.
 */
export function refuseIdempotencyKeys(fastify: FastifyInstance): void {
  fastify.addHook('preParsing', (request, _reply, _payload, done) => {
    const { headers, method, routeOptions } = request;
    if (headers['idempotency-key'] === undefined || SAFE.includes(method)) return done();
    if (routeOptions.config.takesIdempotencyKey === true) return done();
    done(
      new Problem({
        status: 400,
        detail:
          'This request does not accept an Idempotency-Key; send it without. POST /client, POST /client/{client_id}/reset_secret, ' +
          'POST /clients/bulk and POST /token accept one. Repeating any other request leads to the same state, except for ' +
          'POST /register, whose response contains values that are shown once, and POST /clients/jobs and its undo, ' +
          'which start another job: see GET /clients/jobs before you repeat them.',
      }),
    );
  });
}
