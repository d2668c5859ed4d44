import { Injectable } from '@nestjs/common';
import type { Actor } from '../http/current-actor.js';
import { ClientChangedError, ClientNotFoundError } from '../clients/client.errors.js';
import { ClientsService, type ClientWithSecretIfAny, type Precondition } from '../clients/clients.service.js';
import type { StoredClient } from '../clients/stored-client.js';
import { hashRegistrationToken, newRegistrationToken } from './registration-token.js';
import { RegistrationDisabledError, RegistrationTokenError } from './registration.errors.js';

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

  /** @throws {RegistrationTokenError} */
  async find(clientId: string): Promise<StoredClient> {
    return asDeveloper(this.clients.find(clientId));
  }

  /** @throws {RegistrationTokenError | RegistrationDisabledError | InvalidClientError} */
  async replace(clientId: string, body: unknown, actor: Actor): Promise<ClientWithSecretIfAny> {
    return asDeveloper(this.clients.replaceOwn(clientId, body, actor, isEnabled));
  }

  /** @throws {RegistrationTokenError | RegistrationDisabledError} */
  async remove(clientId: string, actor: Actor): Promise<void> {
    await asDeveloper(this.clients.remove(clientId, actor, isEnabled));
  }
}

/** An administrator may disable the Client between the look at the token and the change. */
const isEnabled: Precondition = ({ enabled }) => enabled;

/** What came in between is told as if it had come before. */
async function asDeveloper<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ClientNotFoundError) throw new RegistrationTokenError(true);
    if (error instanceof ClientChangedError) throw new RegistrationDisabledError();
    throw error;
  }
}
