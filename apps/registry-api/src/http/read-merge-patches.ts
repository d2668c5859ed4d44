import { UnsupportedMediaTypeException } from '@nestjs/common';
import { readJson } from '@svc/service-kit';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Reads a JSON Merge Patch (RFC 7396) where it can be meant. */
export function readMergePatches(fastify: FastifyInstance): void {
  fastify.addContentTypeParser('application/merge-patch+json', { parseAs: 'buffer' }, readMergePatch);
}

async function readMergePatch(request: FastifyRequest, body: string | Buffer): Promise<unknown> {
  if (request.method !== 'PATCH') throw new UnsupportedMediaTypeException();
  return readJson(request, body);
}
