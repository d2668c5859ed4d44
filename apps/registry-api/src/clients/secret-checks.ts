import { Injectable } from '@nestjs/common';
import { isJsonObject } from '@svc/foundation';
import { DataSource } from 'typeorm';
import { PreparedStatement } from '../database/prepared-statement.js';
import type { Transaction } from '../database/transaction.js';
import { type HashedSecret, SecretHasher } from '../secrets/secret-hasher.js';
import { isClientId } from './credentials.js';

/** Whether a client_secret is one of the Client's that are valid now. */
export type SecretCheck = (clientId: string, secret: string) => boolean;

/** A request to change a Client. */
export type BodyOfClient = readonly [clientId: string, body: unknown];

/** `$1` client_ids */
const SECRETS = new PreparedStatement<HashedSecret & { readonly clientId: string }>(
  'client_secrets',
  `SELECT client_id AS "clientId", hash, pepper_id AS "pepperId" FROM client_secret
   WHERE client_id = ANY ($1::text[]) AND (expires_at IS NULL OR expires_at > now())`,
);

/** Checks the client_secret in requests: callers often send a Client back as they received it, with its secret. */
@Injectable()
export class SecretChecks {
  constructor(
    private readonly dataSource: DataSource,
    private readonly hasher: SecretHasher,
  ) {}

  /** A check of the secrets in these bodies. Reads the secrets of Clients whose body has one, and no others. */
  async checkFor(
    bodies: readonly BodyOfClient[],
    on: DataSource | Transaction = this.dataSource,
  ): Promise<SecretCheck> {
    const ids = bodies.flatMap(([id, body]) => (hasSecret(body) && isClientId(id) ? [id] : []));
    const stored = ids.length === 0 ? [] : await SECRETS.run(on, [[...new Set(ids)]]);
    const secrets = new Map<string, HashedSecret[]>();
    for (const { clientId, ...hashed } of stored)
      secrets.set(clientId, [...(secrets.get(clientId) ?? []), hashed]);
    return (clientId, secret) =>
      (secrets.get(clientId) ?? []).some((hashed) => this.hasher.matches(secret, hashed));
  }
}

function hasSecret(body: unknown): boolean {
  return isJsonObject(body) && Object.hasOwn(body, 'client_secret');
}
