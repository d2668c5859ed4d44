import { Injectable } from '@nestjs/common';
import { ALL_CLIENTS } from '@svc/client-metadata';
import type { AnonymousAuthorizer, AnonymousPrincipal } from '@svc/service-kit';
import type { RegistryPrincipal } from '../http/registry-principal.js';
import { RegistrationPolicy } from '../settings/registry-settings.js';

/** The actor in the history. Ids of tokens have 16 characters, so no token has this one. */
const ANONYMOUS: RegistryPrincipal & AnonymousPrincipal = {
  id: 'anonymous',
  name: 'open registration',
  scopes: ['clients:register'],
  selector: ALL_CLIENTS,
  isAnonymous: true,
};

export function isAnonymous({ id }: Pick<RegistryPrincipal, 'id'>): boolean {
  return id === ANONYMOUS.id;
}

/** Lets callers without a token register Clients, where configuration allows that. */
@Injectable()
export class OpenRegistration implements AnonymousAuthorizer {
  constructor(private readonly policy: RegistrationPolicy) {}

  authorizeAnonymous(): AnonymousPrincipal | undefined {
    return this.policy.open && ANONYMOUS;
  }
}
