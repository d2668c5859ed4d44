import type { FastifyRequest } from 'fastify';
import { callerNetwork } from './caller-network.js';

/** Identifies a caller for limits: by its id or, since all callers without a token share one, by its network. */
export function callerKeyOf({ principal, ip }: Pick<FastifyRequest, 'principal' | 'ip'>): string {
  if (!principal) throw new Error('a public route knows no callers');
  return principal.isAnonymous ? callerNetwork(ip) : principal.id;
}
