import { UnsupportedMediaTypeException } from '@nestjs/common';
import { refuseEncodings } from '@svc/service-kit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { bodyTooLarge } from './import.errors.js';
import { MAX_IMPORT_BYTES } from './import.service.js';

const PATH = '/clients/import';

const NDJSON = /^application\/(x-)?ndjson\s*(;|$)/i;

/**
 * Hands the body of an import over as a stream, which nobody reads before the caller's token is known; other endpoints
 * take no NDJSON, and this one takes nothing else. Before any route is registered.
 */
export function readImports(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', (route) => {
    if (route.url !== PATH) return;
    route.onRequest = refuseOtherTypes;
    route.config = {
      ...route.config,
      streamsBody: true,
      takes: ['application/x-ndjson', 'application/ndjson'],
    };
  });
  fastify.addContentTypeParser(NDJSON, streamBody);
}

async function refuseOtherTypes({ headers }: FastifyRequest): Promise<void> {
  const type = headers['content-type'];
  if (type !== undefined && !NDJSON.test(type)) throw new UnsupportedMediaTypeException();
}

async function streamBody<Body>(request: FastifyRequest, body: Body): Promise<Body> {
  if (request.routeOptions.url !== PATH) throw new UnsupportedMediaTypeException();
  refuseEncodings(request);
  if (Number(request.headers['content-length'] ?? 0) > MAX_IMPORT_BYTES) throw bodyTooLarge();
  return body;
}
