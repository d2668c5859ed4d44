import { Problem } from '@svc/service-kit';
import type { FastifyRequest } from 'fastify';

/** Query of a request without parameters: any is rejected. */
export class NoQuery {}

/**
 * Rejects a body where a request takes its options from the query: options in the body (a dry run) would be ignored.
 *
 * @throws {Problem} 400
 */
export function refuseBody({ headers }: Pick<FastifyRequest, 'headers'>): void {
  if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0) return;
  throw new Problem({ status: 400, detail: 'This request takes no body; pass options in the query.' });
}
