import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { bearerTokenOf, type CallerAuthorizer } from '@svc/service-kit';
import type { FastifyRequest } from 'fastify';
import { DataSource } from 'typeorm';
import { isClientId } from '../clients/credentials.js';
import { mayBeMissing, PreparedStatement } from '../database/prepared-statement.js';
import type { Transaction } from '../database/transaction.js';
import { RegistryError } from '../errors/registry-error.js';
import type { RegistryPrincipal } from '../http/registry-principal.js';

interface ValidToken {
  readonly tokenHash: Buffer;
  /** Whether its Client is enabled, or waits to be. */
  readonly isUsable: boolean;
}

/** `$1` client_id. The token in use, and those issued since. */
const VALID_TOKENS = new PreparedStatement<ValidToken>(
  'registration_tokens_valid',
  `SELECT t.token_hash AS "tokenHash", c.enabled OR c.pending AS "isUsable"
   FROM client c CROSS JOIN LATERAL (
     SELECT token_hash, expires_at FROM client_registration WHERE client_id = c.client_id
     UNION ALL
     SELECT token_hash, expires_at FROM client_registration_successor WHERE client_id = c.client_id
   ) t
   WHERE c.client_id = $1 AND (t.expires_at IS NULL OR t.expires_at > now())`,
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
    const stored = isClientId(clientId) ? await this.find(clientId, token) : undefined;
    if (!stored) throw registrationTokenInvalid(true);
    if (!stored.isUsable) throw registrationDisabled();
    const selector = { labels: {}, clientId };
    return { id: `registration:${clientId}`, name: 'registration access token', scopes: [], selector };
  }

  private async find(clientId: string, token: string): Promise<ValidToken | undefined> {
    const isToken = ({ tokenHash }: ValidToken) => isRegistrationToken(token, tokenHash);
    const found = (await VALID_TOKENS.run(this.dataSource, [clientId])).find(isToken);
    if (found || !mayBeMissing(this.dataSource)) return found;
    return (await VALID_TOKENS.readCurrent(this.dataSource, [clientId])).find(isToken);
  }
}

/** Whether a token is valid in the state that the transaction sees. */
export async function isValidToken(
  transaction: Transaction,
  clientId: string,
  token: string,
): Promise<boolean> {
  const valid = await VALID_TOKENS.run(transaction, [clientId]);
  return valid.some(({ tokenHash }) => isRegistrationToken(token, tokenHash));
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

/** Compares in constant time. */
export function isRegistrationToken(token: string, stored: Buffer): boolean {
  return timingSafeEqual(hashRegistrationToken(token), stored);
}

/** Also for a Client that does not exist: the answer must not reveal whether it does. */
export function registrationTokenInvalid(isPresented: boolean): RegistryError {
  return new RegistryError(
    isPresented ? 'token_invalid' : 'token_missing',
    'the registration access token is not valid for this client',
  );
}

/** The registration access token is valid, but an administrator has disabled its Client. */
export function registrationDisabled(): RegistryError {
  return new RegistryError(
    'registration_disabled',
    'this client is disabled; ask the administrator of the registry',
  );
}
