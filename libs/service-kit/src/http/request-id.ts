import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** What a caller may hand over: short, and harmless in a log line. */
const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** The caller's `X-Request-Id` when it is well formed, else a new one. */
export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}
