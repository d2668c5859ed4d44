import { Injectable } from '@nestjs/common';
import { ClientsService, type ClientWithSecretIfAny, type Precondition } from '../clients/clients.service.js';
import type { StoredClient } from '../clients/stored-client.js';
import { hasErrorCode } from '../errors/registry-error.js';
import type { Caller, Reach } from '../http/current-caller.js';
import {
  hashRegistrationToken,
  newRegistrationToken,
  registrationDisabled,
  registrationTokenInvalid,
} from './registration-access.js';

/** A client that a developer has registered, with its credentials, which cannot be read again. */
export interface DeveloperClient extends ClientWithSecretIfAny {
  readonly registrationToken: string;
}

/** Registration by developers (RFC 7591), and management of their own clients (RFC 7592). */
@Injectable()
export class RegistrationService {
  constructor(private readonly clients: ClientsService) {}

  /** @throws {InvalidClientError} */
  async register(body: unknown, actor: Caller): Promise<DeveloperClient> {
    const registrationToken = newRegistrationToken();
    const made = await this.clients.registerOwn(body, actor, hashRegistrationToken(registrationToken));
    return { ...made, registrationToken };
  }

  /** @throws {RegistryError} `token_invalid` */
  async find(clientId: string, reach: Reach): Promise<StoredClient> {
    return asDeveloper(this.clients.find(clientId, reach));
  }

  /** @throws {RegistryError | InvalidClientError} `token_invalid`, `registration_disabled` */
  async replace(clientId: string, body: unknown, actor: Caller): Promise<ClientWithSecretIfAny> {
    return asDeveloper(this.clients.replaceOwn(clientId, body, actor, isEnabled));
  }

  /** @throws {RegistryError} `token_invalid`, `registration_disabled` */
  async remove(clientId: string, actor: Caller): Promise<void> {
    await asDeveloper(this.clients.remove(clientId, actor, isEnabled));
  }
}

/** An administrator may disable the client after the token was checked. */
const isEnabled: Precondition = ({ enabled }) => enabled;

/** Reports a concurrent change as if it had happened before the token was checked. */
async function asDeveloper<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (hasErrorCode(error, 'client_not_found')) throw registrationTokenInvalid(true);
    if (hasErrorCode(error, 'client_changed')) throw registrationDisabled();
    throw error;
  }
}
