import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { PreparedStatement } from '../database/prepared-statement.js';
import { inTransaction, onCommit, type Transaction } from '../database/transaction.js';
import type { Caller } from '../http/current-caller.js';
import { RegistrySettings } from '../settings/registry-settings.js';
import { RegistrationEvents } from './registration-events.js';
import {
  hashRegistrationToken,
  isValidToken,
  newRegistrationToken,
  registrationTokenInvalid,
} from './registration-access.js';

/** Unused ones; beyond this, the oldest end. This many responses may be lost, or requests run at once, without a lockout. */
const MAX_SUCCESSORS = 8;

/** `$1` client_id. Locked before its tokens, as a deletion does. */
const LOCK_CLIENT = new PreparedStatement<never>(
  'registration_client_lock',
  'SELECT FROM client WHERE client_id = $1 FOR NO KEY UPDATE',
);

/** `$1` client_id. What changes or uses a Client's tokens waits here. */
const LOCK = new PreparedStatement<never>(
  'registration_token_lock',
  'SELECT FROM client_registration WHERE client_id = $1 FOR UPDATE',
);

/** `$1` client_id `$2` hash of the token presented. If that is a successor, it becomes the token in use, and older ones end. */
const USE = new PreparedStatement<never>(
  'registration_token_use',
  `WITH used AS (
     SELECT number, expires_at FROM client_registration_successor WHERE client_id = $1 AND token_hash = $2
   ), promoted AS (
     UPDATE client_registration r SET token_hash = $2, expires_at = used.expires_at FROM used WHERE r.client_id = $1
   )
   DELETE FROM client_registration_successor s USING used WHERE s.client_id = $1 AND s.number <= used.number`,
);

/** `$1` client_id `$2` hash of the new token `$3` when it expires */
const ADD = new PreparedStatement<never>(
  'registration_token_add',
  `WITH surplus AS (
     DELETE FROM client_registration_successor WHERE token_hash IN (
       SELECT token_hash FROM client_registration_successor WHERE client_id = $1
       ORDER BY number DESC OFFSET ${MAX_SUCCESSORS - 1}
     )
   )
   INSERT INTO client_registration_successor (client_id, token_hash, expires_at) VALUES ($1, $2, $3)`,
);

/**
 * `$1` client_id `$2` hash of the new token `$3` when it expires. Of any Client, also of one that no developer registered; no
 * row if it does not exist.
 */
const REPLACE = new PreparedStatement<{ clientId: string }>(
  'registration_token_replace',
  `WITH gone AS (
     DELETE FROM client_registration_successor WHERE client_id = $1
   )
   INSERT INTO client_registration (client_id, token_hash, expires_at)
   SELECT client_id, $2::bytea, $3::timestamptz FROM client WHERE client_id = $1
   ON CONFLICT (client_id) DO UPDATE SET token_hash = EXCLUDED.token_hash, expires_at = EXCLUDED.expires_at
   RETURNING client_id AS "clientId"`,
);

/** `$1` client_id */
const REVOKE = new PreparedStatement<{ clientId: string }>(
  'registration_token_revoke',
  'DELETE FROM client_registration WHERE client_id = $1 RETURNING client_id AS "clientId"',
);

/** A new token, which cannot be read again. */
export interface IssuedToken {
  readonly token: string;
  /** Null: never. */
  readonly expiresAt: Date | null;
}

/** The registration access tokens of Clients (RFC 7592 section 3). */
@Injectable()
export class RegistrationTokens {
  constructor(
    private readonly dataSource: DataSource,
    private readonly settings: RegistrySettings,
    private readonly events: RegistrationEvents,
  ) {}

  /**
   * Where registration access tokens expire, each use issues a new one. The one presented stays valid until a newer one is
   * used, so a lost response does not lock the developer out.
   *
   * @param token the one presented, which was valid when the request began
   * @returns the token to use from now on
   * @throws {RegistryError} `token_invalid` if it has been replaced or revoked since
   */
  async renew(clientId: string, token: string, caller: Caller): Promise<string> {
    if (this.settings.registrationTokens.expiryFrom(new Date()) === null) return token;
    return inTransaction(this.dataSource, async (transaction) =>
      this.renewIn(transaction, clientId, token, caller),
    );
  }

  /** The same within the transaction of a change, which must not be stored if its response cannot be sent. */
  async renewIn(transaction: Transaction, clientId: string, token: string, caller: Caller): Promise<string> {
    await this.assertValid(transaction, clientId, token);
    const expiresAt = this.settings.registrationTokens.expiryFrom(new Date());
    if (expiresAt === null) return token;
    const next = newRegistrationToken();
    await USE.run(transaction, [clientId, hashRegistrationToken(token)]);
    await ADD.run(transaction, [clientId, hashRegistrationToken(next), expiresAt]);
    onCommit(transaction, () => this.events.renewed(clientId, caller));
    return next;
  }

  /**
   * Keeps the presented token as it is until the transaction ends.
   *
   * @throws {RegistryError} `token_invalid` if it has been replaced or revoked since the request began
   */
  async assertValid(transaction: Transaction, clientId: string, token: string): Promise<void> {
    await lockTokens(transaction, clientId);
    if (!(await isValidToken(transaction, clientId, token))) throw registrationTokenInvalid(true);
  }

  /** Ends all tokens of a Client, and issues a new one. @returns undefined if the Client does not exist */
  async replace(clientId: string, caller: Caller): Promise<IssuedToken | undefined> {
    const token = newRegistrationToken();
    const expiresAt = this.settings.registrationTokens.expiryFrom(new Date());
    const isReplaced = await inTransaction(this.dataSource, async (transaction) => {
      await lockTokens(transaction, clientId);
      const replaced = await REPLACE.run(transaction, [clientId, hashRegistrationToken(token), expiresAt]);
      if (replaced.length > 0) this.events.created(transaction, clientId, caller, expiresAt);
      return replaced.length > 0;
    });
    return isReplaced ? { token, expiresAt } : undefined;
  }

  /** Ends all tokens of a Client. */
  async revoke(clientId: string, caller: Caller): Promise<void> {
    await inTransaction(this.dataSource, async (transaction) => {
      const revoked = await REVOKE.run(transaction, [clientId]);
      if (revoked.length > 0) this.events.revoked(transaction, clientId, caller);
    });
  }
}

async function lockTokens(transaction: Transaction, clientId: string): Promise<void> {
  await LOCK_CLIENT.run(transaction, [clientId]);
  await LOCK.run(transaction, [clientId]);
}
