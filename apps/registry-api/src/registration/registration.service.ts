import { Injectable } from '@nestjs/common';
import { ClientsService, type ClientWithSecretIfAny, type OwnAdmission } from '../clients/clients.service.js';
import { clientNotFound } from '../clients/client.errors.js';
import { hasErrorCode } from '../errors/registry-error.js';
import type { Caller } from '../http/current-caller.js';
import { isAnonymous } from './open-registration.js';
import { RegistrationEvents } from './registration-events.js';
import { RegistrationLimits } from './registration-limits.js';
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
    private readonly limits: RegistrationLimits,
    private readonly events: RegistrationEvents,
  ) {}

  /**
   * Without a token, the Client waits until an administrator enables it.
   *
   * @throws {InvalidClientError | RegistryError} `registration_quota`, `registration_limit`
   */
  async register(body: unknown, actor: Caller): Promise<DeveloperClient> {
    const registrationToken = newRegistrationToken();
    const isPending = isAnonymous(actor);
    const registration = { tokenHash: hashRegistrationToken(registrationToken), isPending };
    const made = await this.events.registering(actor, async () =>
      this.clients.registerOwn(body, actor, registration, async (transaction) =>
        isPending
          ? this.limits.enforceOpenLimits(transaction, actor)
          : this.limits.enforceCallerLimit(transaction, actor),
      ),
    );
    return { ...made, registrationToken };
  }

  /** @param token the one presented @throws {RegistryError} `token_invalid` */
  async find(clientId: string, caller: Caller, token: string): Promise<DeveloperClient> {
    const client = await asDeveloper(this.clients.find(clientId, caller));
    return { client, registrationToken: await this.tokens.renew(clientId, token, caller) };
  }

  /**
   * @param token the one presented
   * @throws {RegistryError | InvalidClientError} `token_invalid`, `registration_disabled`
   */
  async replace(clientId: string, body: unknown, actor: Caller, token: string): Promise<DeveloperClient> {
    let registrationToken = token;
    const admission = admissionOf(async (transaction) => {
      registrationToken = await this.tokens.renewIn(transaction, clientId, token, actor);
    });
    const replaced = await asDeveloper(this.clients.replaceOwn(clientId, body, actor, admission));
    return { ...replaced, registrationToken };
  }

  /** @throws {RegistryError} `client_not_found` */
  async replaceToken(clientId: string, caller: Caller): Promise<IssuedToken> {
    await this.clients.find(clientId, caller);
    const issued = await this.tokens.replace(clientId, caller);
    if (!issued) throw clientNotFound(clientId);
    return issued;
  }

  /** @throws {RegistryError} `client_not_found` */
  async revokeToken(clientId: string, caller: Caller): Promise<void> {
    await this.clients.find(clientId, caller);
    await this.tokens.revoke(clientId, caller);
  }

  /** @param token the one presented @throws {RegistryError} `token_invalid`, `registration_disabled` */
  async remove(clientId: string, actor: Caller, token: string): Promise<void> {
    const admission = admissionOf(async (transaction) =>
      this.tokens.assertValid(transaction, clientId, token),
    );
    await asDeveloper(this.clients.removeOwn(clientId, actor, admission));
  }
}

/** An administrator may disable the Client or replace its tokens after the token was checked, while a body arrives. */
function admissionOf(admit: OwnAdmission['admit']): OwnAdmission {
  return { isWanted: ({ enabled, isPending }) => enabled || isPending, admit };
}

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
