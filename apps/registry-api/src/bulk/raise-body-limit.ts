import type { FastifyInstance } from 'fastify';

const BULK_LIMIT = 16 * 1024 * 1024;

/** Bodies of bulk requests may be larger than others. Before any route is registered. */
export function raiseBulkLimit(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', (route) => {
    if (route.url === '/clients/bulk') route.bodyLimit = BULK_LIMIT;
  });
}
