import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Actor } from '../clients/actor.js';
import { ClientNotFoundError } from '../clients/client.errors.js';
import { ClientsService, type ClientWithSecret } from '../clients/clients.service.js';
import { isClientId } from '../clients/credentials.js';
import type { StoredClient } from '../clients/stored-client.js';
import { PreparedStatement } from '../database/prepared-statement.js';
import { hashRegistrationToken, isRegistrationToken, newRegistrationToken } from './registration-token.js';
import { RegistrationDisabledError, RegistrationTokenError } from './registration.errors.js';

/** A Client that a developer has registered, with what only this answer holds. */
export interface DeveloperClient extends ClientWithSecret {
  readonly registrationToken: string;
}

/** `$1` client_id */
const TOKEN_HASH = new PreparedStatement<{ tokenHash: Buffer; enabled: boolean }>(
  'registration_token_hash',
  `SELECT r.token_hash AS "tokenHash", c.enabled
   FROM client_registration r JOIN client c USING (client_id) WHERE client_id = $1`,
);

/** Registration by developers (RFC 7591), and what they may do with their own Client (RFC 7592). */
@Injectable()
export class RegistrationService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clients: ClientsService,
  ) {}

  /** @throws {InvalidClientError} */
  async register(body: unknown, actor: Actor): Promise<DeveloperClient> {
    const registrationToken = newRegistrationToken();
    const registrationTokenHash = hashRegistrationToken(registrationToken);
    const made = await this.clients.register(body, actor, { audience: 'public', registrationTokenHash });
    return { ...made, registrationToken };
  }

  /** @throws {RegistrationTokenError | RegistrationDisabledError} */
  async find(clientId: string, token: string | undefined): Promise<StoredClient> {
    await this.authorize(clientId, token);
    return hidden(this.clients.find(clientId));
  }

  /** @throws {RegistrationTokenError | RegistrationDisabledError | InvalidClientError} */
  async replace(
    clientId: string,
    token: string | undefined,
    body: unknown,
    address: string,
  ): Promise<StoredClient> {
    await this.authorize(clientId, token);
    return hidden(this.clients.replace(clientId, body, developerOf(clientId, address), () => true, 'public'));
  }

  /** @throws {RegistrationTokenError | RegistrationDisabledError} */
  async remove(clientId: string, token: string | undefined, address: string): Promise<void> {
    await this.authorize(clientId, token);
    await hidden(this.clients.remove(clientId, developerOf(clientId, address), () => true));
  }

  private async authorize(clientId: string, token: string | undefined): Promise<void> {
    if (token === undefined) throw new RegistrationTokenError(false);
    const [stored] = isClientId(clientId) ? await TOKEN_HASH.run(this.dataSource, [clientId]) : [];
    if (!isRegistrationToken(token, stored?.tokenHash)) throw new RegistrationTokenError(true);
    if (!stored?.enabled) throw new RegistrationDisabledError();
  }
}

/** Deleted between the look at the token and the work: like any Client that is not there. */
async function hidden<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ClientNotFoundError) throw new RegistrationTokenError(true);
    throw error;
  }
}

/** For the history: the developer has no name here, only the Client's own token. */
function developerOf(clientId: string, address: string): Actor {
  return { id: `registration:${clientId}`, name: 'registration access token', address };
}
