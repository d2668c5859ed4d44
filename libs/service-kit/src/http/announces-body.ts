import type { FastifyRequest } from 'fastify';

/** Whether a request says that a body follows its header (RFC 9112 section 6). */
export function announcesBody({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}
