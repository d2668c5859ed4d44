import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { bearerTokenOf, type CallerAuthorizer } from '@svc/service-kit';
import type { FastifyRequest } from 'fastify';
import { DataSource } from 'typeorm';
import { isClientId } from '../clients/credentials.js';
import { PreparedStatement } from '../database/prepared-statement.js';
import { RegistryError } from '../errors/registry-error.js';
import type { RegistryPrincipal } from '../http/registry-principal.js';

/** `$1` client_id */
const TOKEN_HASH = new PreparedStatement<{ tokenHash: Buffer; enabled: boolean }>(
  'registration_token_hash',
  `SELECT r.token_hash AS "tokenHash", c.enabled
   FROM client_registration r JOIN client c USING (client_id) WHERE client_id = $1`,
  'credentials',
);

/** Lets a developer manage the Client of the path with the registration access token of that Client (RFC 7592). */
@Injectable()
export class RegistrationAccess implements CallerAuthorizer {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * @returns the actor for the history: the client's own token, since developers are anonymous here
   * @throws {RegistryError} `token_invalid`, `registration_disabled`
   */
  async authorize(request: FastifyRequest): Promise<RegistryPrincipal> {
    const { client_id: clientId = '' } = request.params as { client_id?: string };
    const token = bearerTokenOf(request);
    if (token === undefined) throw registrationTokenInvalid(false);
    const [stored] = isClientId(clientId) ? await TOKEN_HASH.find(this.dataSource, [clientId]) : [];
    if (!isRegistrationToken(token, stored?.tokenHash)) throw registrationTokenInvalid(true);
    if (!stored?.enabled) throw registrationDisabled();
    const selector = { labels: {}, clientId };
    return { id: `registration:${clientId}`, name: 'registration access token', scopes: [], selector };
  }
}

/** Identifies a leaked value to users and secret scanners. */
const PREFIX = 'svcreg_';

/** A new registration access token (RFC 7592 section 3): 256 random bits behind a prefix. */
export function newRegistrationToken(): string {
  return PREFIX + randomBytes(32).toString('base64url');
}

export function hashRegistrationToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

/** Compares in constant time, also for a Client that does not exist. @param stored `undefined` for such a Client */
export function isRegistrationToken(token: string, stored: Buffer | undefined): boolean {
  const presented = hashRegistrationToken(token);
  return timingSafeEqual(presented, stored ?? NO_HASH) && stored !== undefined;
}

const NO_HASH = Buffer.alloc(32);

/** Also for a Client that does not exist: the answer must not reveal whether it does. */
export function registrationTokenInvalid(isPresented: boolean): RegistryError {
  return new RegistryError(
    isPresented ? 'token_invalid' : 'token_missing',
    'the registration access token is not valid for this Client',
  );
}

/** The registration access token is valid, but an administrator has disabled its Client. */
export function registrationDisabled(): RegistryError {
  return new RegistryError(
    'registration_disabled',
    'this Client is disabled; ask the administrator of the registry',
  );
}
