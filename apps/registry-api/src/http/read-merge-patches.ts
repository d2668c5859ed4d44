import { UnsupportedMediaTypeException } from '@nestjs/common';
import { readJson } from '@svc/service-kit';
import type { FastifyInstance, FastifyRequest } from 'fastify';

const MERGE_PATCH = 'application/merge-patch+json';

const WITH_BODY = ['POST', 'PUT', 'PATCH'];

/** Accepts JSON Merge Patch (RFC 7396) on PATCH routes. Must be called before any route is registered. */
export function readMergePatches(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', (route) => {
    if (![route.method].flat().some((method) => WITH_BODY.includes(method))) return;
    const takes = route.method === 'PATCH' ? [MERGE_PATCH, 'application/json'] : ['application/json'];
    route.config = { takes, ...route.config };
  });
  fastify.addContentTypeParser(MERGE_PATCH, { parseAs: 'buffer' }, readMergePatch);
}

async function readMergePatch(request: FastifyRequest, body: string | Buffer): Promise<unknown> {
  if (request.method !== 'PATCH') throw new UnsupportedMediaTypeException();
  return readJson(request, body);
}
