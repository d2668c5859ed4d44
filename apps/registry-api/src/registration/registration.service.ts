import { Injectable } from '@nestjs/common';
import { ClientsService, type ClientWithSecretIfAny, type Precondition } from '../clients/clients.service.js';
import type { StoredClient } from '../clients/stored-client.js';
import { hasErrorCode } from '../errors/registry-error.js';
import type { Actor } from '../http/current-actor.js';
import { hashRegistrationToken, newRegistrationToken } from './registration-token.js';
import { registrationDisabled, registrationTokenInvalid } from './registration.errors.js';

/** A Client that a developer has registered, with what only this answer holds. */
export interface DeveloperClient extends ClientWithSecretIfAny {
  readonly registrationToken: string;
}

/** Registration by developers (RFC 7591), and what they may do with their own Client once they are admitted (RFC 7592). */
@Injectable()
export class RegistrationService {
  constructor(private readonly clients: ClientsService) {}

  /** @throws {InvalidClientError} */
  async register(body: unknown, actor: Actor): Promise<DeveloperClient> {
    const registrationToken = newRegistrationToken();
    const made = await this.clients.registerOwn(body, actor, hashRegistrationToken(registrationToken));
    return { ...made, registrationToken };
  }

  /** @throws {RegistryError} `token_invalid` */
  async find(clientId: string): Promise<StoredClient> {
    return asDeveloper(this.clients.find(clientId));
  }

  /** @throws {RegistryError | InvalidClientError} `token_invalid`, `registration_disabled` */
  async replace(clientId: string, body: unknown, actor: Actor): Promise<ClientWithSecretIfAny> {
    return asDeveloper(this.clients.replaceOwn(clientId, body, actor, isEnabled));
  }

  /** @throws {RegistryError} `token_invalid`, `registration_disabled` */
  async remove(clientId: string, actor: Actor): Promise<void> {
    await asDeveloper(this.clients.remove(clientId, actor, isEnabled));
  }
}

/** An administrator may disable the Client between the look at the token and the change. */
const isEnabled: Precondition = ({ enabled }) => enabled;

/** A change in between is reported as if it had come before. */
async function asDeveloper<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (hasErrorCode(error, 'client_not_found')) throw registrationTokenInvalid(true);
    if (hasErrorCode(error, 'client_changed')) throw registrationDisabled();
    throw error;
  }
}
