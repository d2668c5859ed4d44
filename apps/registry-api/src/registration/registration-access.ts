import { Injectable } from '@nestjs/common';
import { bearerTokenOf, type CallerAuthorizer, type Principal } from '@svc/service-kit';
import type { FastifyRequest } from 'fastify';
import { DataSource } from 'typeorm';
import { isClientId } from '../clients/credentials.js';
import { PreparedStatement } from '../database/prepared-statement.js';
import { isRegistrationToken } from './registration-token.js';
import { registrationDisabled, registrationTokenInvalid } from './registration.errors.js';

/** `$1` client_id */
const TOKEN_HASH = new PreparedStatement<{ tokenHash: Buffer; enabled: boolean }>(
  'registration_token_hash',
  `SELECT r.token_hash AS "tokenHash", c.enabled
   FROM client_registration r JOIN client c USING (client_id) WHERE client_id = $1`,
);

/** Lets a developer manage the Client of the path with the registration access token of that Client (RFC 7592). */
@Injectable()
export class RegistrationAccess implements CallerAuthorizer {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * @returns who the history names: the developer has no name here, only the Client's own token
   * @throws {RegistryError} `token_invalid`, `registration_disabled`
   */
  async authorize(request: FastifyRequest): Promise<Principal> {
    const { client_id: clientId = '' } = request.params as { client_id?: string };
    const token = bearerTokenOf(request);
    if (token === undefined) throw registrationTokenInvalid(false);
    const [stored] = isClientId(clientId) ? await TOKEN_HASH.run(this.dataSource, [clientId]) : [];
    if (!isRegistrationToken(token, stored?.tokenHash)) throw registrationTokenInvalid(true);
    if (!stored?.enabled) throw registrationDisabled();
    return { id: `registration:${clientId}`, name: 'registration access token', scopes: [] };
  }
}
