import { Problem } from '@svc/service-kit';
import type { FastifyRequest } from 'fastify';

/**
 * Everything that can be said of a request to the library stands in its query: a body would be ignored, and what it asks
 * for (a dry run) not done.
 *
 * @throws {Problem} 400
 */
export function refuseBody({ headers }: Pick<FastifyRequest, 'headers'>): void {
  if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0) return;
  throw new Problem({ status: 400, detail: 'This request has no body; options go in the query.' });
}
