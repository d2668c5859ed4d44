import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Actor } from '../clients/actor.js';

/** Who makes a change, for the history: the token's holder and the address of the request. */
export const CurrentActor = createParamDecorator((_: unknown, context: ExecutionContext): Actor => {
  const { principal, ip } = context.switchToHttp().getRequest<FastifyRequest>();
  if (!principal) throw new Error('a public route has no actor');
  return { id: principal.id, name: principal.name, address: ip };
});
