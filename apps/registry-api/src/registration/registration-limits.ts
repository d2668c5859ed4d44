import { Injectable } from '@nestjs/common';
import { callerNetwork } from '@svc/service-kit';
import { PreparedStatement } from '../database/prepared-statement.js';
import type { Transaction } from '../database/transaction.js';
import { RegistryError } from '../errors/registry-error.js';
import type { Caller } from '../http/current-caller.js';
import { dayOf, type OpenRegistrationLimits, RegistrationPolicy } from '../settings/registry-settings.js';
import { countPending } from './pending-clients.js';

/** All open registrations together; it is counted first, which makes them wait for each other. */
const ALL = '';

/** Until an administrator has had time to look. */
const WHILE_PENDING_SECONDS = 3_600;

/** `$1` network, or user of the issuer `$2` day `$3` limit. Counts a registration; no row: the limit is reached. */
const COUNT_OPEN = new PreparedStatement<{ count: number }>(
  'open_registration_count',
  `INSERT INTO open_registration AS o (network, day, count) VALUES ($1, $2, 1)
   ON CONFLICT (network) DO UPDATE
   SET day = greatest(o.day, excluded.day), count = CASE WHEN o.day < excluded.day THEN 1 ELSE o.count + 1 END
   WHERE o.day < excluded.day OR o.count < $3
   RETURNING count`,
);

/** `$1` the current day */
const FORGET_OPEN = new PreparedStatement<never>(
  'open_registration_forget',
  `DELETE FROM open_registration WHERE day < $1 AND network <> '${ALL}'`,
);

/** What a token has registered, and may register. */
interface TokenCounts {
  readonly registrations: number;
  readonly onDay: number;
  readonly maxRegistrations: number | null;
  readonly perDay: number | null;
}

/** `$1` id of the token `$2` day */
const COUNT_BY_TOKEN = new PreparedStatement<TokenCounts>(
  'api_tokens_count_registration',
  `UPDATE api_token t
   SET registrations = t.registrations + 1,
       registrations_on_day = CASE WHEN t.registration_day >= $2 THEN t.registrations_on_day + 1 ELSE 1 END,
       registration_day = greatest(t.registration_day, $2)
   WHERE t.id = $1
   RETURNING t.registrations, t.registrations_on_day AS "onDay", t.max_registrations AS "maxRegistrations",
             t.registrations_per_day AS "perDay"`,
);

/** Counts registrations by developers, and refuses those beyond the limits. All run in the transaction of the registration. */
@Injectable()
export class RegistrationLimits {
  constructor(private readonly policy: RegistrationPolicy) {}

  /** A registration with a token. @throws {RegistryError} `registration_quota`, `registration_limit` */
  async enforceCallerLimit(
    transaction: Transaction,
    { id, issuer }: Caller,
    now = new Date(),
  ): Promise<void> {
    if (issuer !== undefined) return this.enforceUserLimit(transaction, `${issuer} ${id}`, now);
    const [counts] = await COUNT_BY_TOKEN.run(transaction, [id, dayOf(now)]);
    if (!counts) return;
    const { registrations, onDay, maxRegistrations, perDay } = counts;
    if (maxRegistrations !== null && registrations > maxRegistrations) {
      throw new RegistryError(
        'registration_quota',
        `this token has registered its maximum of ${maxRegistrations} clients; ask the administrator of the registry for another`,
      );
    }
    if (perDay !== null && onDay > perDay) throw limited('per_token', perDay, 'with this token', now);
  }

  /** A registration without a token. @throws {RegistryError} `registration_limit` */
  async enforceOpenLimits(transaction: Transaction, { address }: Caller, now = new Date()): Promise<void> {
    const { perAddress, perDay, pending } = this.open;
    const day = dayOf(now);
    const [all] = await COUNT_OPEN.run(transaction, [ALL, day, perDay]);
    if (!all) throw limited('per_day', perDay, 'without a token', now);
    if (all.count === 1) await FORGET_OPEN.run(transaction, [day]);
    const own = await COUNT_OPEN.run(transaction, [callerNetwork(address), day, perAddress]);
    if (own.length === 0) throw limited('per_address', perAddress, 'from one address', now);
    if ((await countPending(transaction)) >= pending) throw tooManyPending();
  }

  /** @param user includes the issuer, so that it cannot be mistaken for a network */
  private async enforceUserLimit(transaction: Transaction, user: string, now: Date): Promise<void> {
    const { perUser } = this.policy;
    const day = dayOf(now);
    const [own] = await COUNT_OPEN.run(transaction, [user, day, perUser]);
    if (!own) throw limited('per_user', perUser, 'by one user', now);
    if (own.count === 1) await FORGET_OPEN.run(transaction, [day]);
  }

  private get open(): OpenRegistrationLimits {
    if (!this.policy.open) throw new Error('open registration is off');
    return this.policy.open;
  }
}

/** More Clients than the registry allows. `limit` is for the record of security events. */
export class RegistrationLimitError extends RegistryError {
  constructor(
    readonly limit: 'per_token' | 'per_user' | 'per_day' | 'per_address' | 'pending',
    message: string,
    retryAfter: number,
  ) {
    super('registration_limit', message, { retryAfter });
  }
}

function limited(
  limit: RegistrationLimitError['limit'],
  count: number,
  how: string,
  now: Date,
): RegistrationLimitError {
  const midnight = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1);
  const seconds = Math.ceil((midnight - now.getTime()) / 1_000);
  const message = `no more than ${count} clients a day can be registered ${how}; try again tomorrow (UTC)`;
  return new RegistrationLimitError(limit, message, seconds);
}

function tooManyPending(): RegistrationLimitError {
  return new RegistrationLimitError(
    'pending',
    'too many clients are waiting for an administrator to enable them; try again later',
    WHILE_PENDING_SECONDS,
  );
}
