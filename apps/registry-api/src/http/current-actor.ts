import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';

/** Who makes a request, as the history records it. */
export class Actor {
  @ApiProperty({ description: 'Id of the token.', example: '5f1d3a9c0b7e2468' })
  readonly id!: string;

  @ApiProperty({ description: "The token's name at the time.", example: 'deployment pipeline' })
  readonly name!: string;

  @ApiProperty({ description: 'Address that the request came from.', example: '192.0.2.7' })
  readonly address!: string;
}

/** The holder of the request's token. */
export const CurrentActor = createParamDecorator((_: unknown, context: ExecutionContext): Actor => {
  const { principal, ip } = context.switchToHttp().getRequest<FastifyRequest>();
  if (!principal) throw new Error('a public route has no actor');
  return { id: principal.id, name: principal.name, address: ip };
});
