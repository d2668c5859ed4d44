import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** Who makes a request, as the history records it. */
export interface Actor {
  /** Id of the token. */
  readonly id: string;
  readonly name: string;
  /** Address the request came from. */
  readonly address: string;
}

/** The holder of the request's token. */
export const CurrentActor = createParamDecorator((_: unknown, context: ExecutionContext): Actor => {
  const { principal, ip } = context.switchToHttp().getRequest<FastifyRequest>();
  if (!principal) throw new Error('a public route has no actor');
  return { id: principal.id, name: principal.name, address: ip };
});
