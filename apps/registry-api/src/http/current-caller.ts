import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import type { ClientSelector } from '@svc/client-metadata';
import type { FastifyRequest } from 'fastify';
import { toRegistryPrincipal } from './registry-principal.js';

/** Who makes a request, as the history records it. */
export class Actor {
  @ApiProperty({
    description:
      "Id of the token, or `oidc:` and the subject of an issuer's access token, `registration:` and a client_id, `anonymous` or `registry`.",
    example: '5f1d3a9c0b7e2468',
  })
  readonly id!: string;

  @ApiProperty({ description: "The token's name at the time.", example: 'deployment pipeline' })
  readonly name!: string;

  @ApiProperty({ description: 'Address that the request came from.', example: '192.0.2.7' })
  readonly address!: string;
}

/** Who makes a request, and which Clients it reaches: for it, the others do not exist. */
export interface Caller extends Actor {
  /** The issuer whose user it is; only with an access token. */
  readonly issuer?: string | undefined;
  readonly selector: ClientSelector;
  /** Whether it may see who registered and changed Clients. */
  readonly seesActors: boolean;
  /** Whether its imports may contain client secrets. */
  readonly importsSecrets?: boolean;
}

/** The part of a caller that reading depends on. Reads of those with an id take turns: see `RegistryPool.search`. */
export type Reach = Pick<Caller, 'selector'> & Partial<Pick<Caller, 'id'>>;

/** The holder of the request's token. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const { principal, ip } = context.switchToHttp().getRequest<FastifyRequest>();
  if (!principal) throw new Error('a public route has no caller');
  const { id, name, issuer, scopes, selector } = toRegistryPrincipal(principal);
  return {
    ...{ id, name, issuer, address: ip, selector },
    seesActors: scopes.includes('clients:read'),
    importsSecrets: scopes.includes('clients:import_secrets'),
  };
});
