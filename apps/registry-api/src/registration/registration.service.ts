import { Injectable } from '@nestjs/common';
import { ClientsService, type ClientWithSecretIfAny, type Precondition } from '../clients/clients.service.js';
import { clientNotFound } from '../clients/client.errors.js';
import { hasErrorCode } from '../errors/registry-error.js';
import type { Caller, Reach } from '../http/current-caller.js';
import {
  hashRegistrationToken,
  newRegistrationToken,
  registrationDisabled,
  registrationTokenInvalid,
} from './registration-access.js';
import { type IssuedToken, RegistrationTokens } from './registration-tokens.js';

/** A client that a developer has registered, with its credentials, which cannot be read again. */
export interface DeveloperClient extends ClientWithSecretIfAny {
  readonly registrationToken: string;
}

/** Registration by developers (RFC 7591), and management of their own clients (RFC 7592). */
@Injectable()
export class RegistrationService {
  constructor(
    private readonly clients: ClientsService,
    private readonly tokens: RegistrationTokens,
  ) {}

  /** @throws {InvalidClientError} */
  async register(body: unknown, actor: Caller): Promise<DeveloperClient> {
    const registrationToken = newRegistrationToken();
    const made = await this.clients.registerOwn(body, actor, hashRegistrationToken(registrationToken));
    return { ...made, registrationToken };
  }

  /** @param token the one presented @throws {RegistryError} `token_invalid` */
  async find(clientId: string, reach: Reach, token: string): Promise<DeveloperClient> {
    const client = await asDeveloper(this.clients.find(clientId, reach));
    return { client, registrationToken: await this.tokens.renew(clientId, token) };
  }

  /**
   * @param token the one presented
   * @throws {RegistryError | InvalidClientError} `token_invalid`, `registration_disabled`
   */
  async replace(clientId: string, body: unknown, actor: Caller, token: string): Promise<DeveloperClient> {
    const replaced = await asDeveloper(this.clients.replaceOwn(clientId, body, actor, isEnabled));
    return { ...replaced, registrationToken: await this.tokens.renew(clientId, token) };
  }

  /** @throws {RegistryError} `client_not_found` */
  async replaceToken(clientId: string, reach: Reach): Promise<IssuedToken> {
    await this.clients.find(clientId, reach);
    const issued = await this.tokens.replace(clientId);
    if (!issued) throw clientNotFound(clientId);
    return issued;
  }

  /** @throws {RegistryError} `client_not_found` */
  async revokeToken(clientId: string, reach: Reach): Promise<void> {
    await this.clients.find(clientId, reach);
    await this.tokens.revoke(clientId);
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
