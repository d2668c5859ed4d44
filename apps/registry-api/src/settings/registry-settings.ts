import type { Capabilities } from '@svc/client-metadata';

/** What configuration decides about Clients. */
export class RegistrySettings {
  constructor(
    /** The supported metadata values. */
    readonly capabilities: Capabilities,
    /** Prefix of the names of Clients' cookies. */
    readonly cookiePrefix: string,
    /** Whether changes and deletions of Clients require If-Match. */
    readonly ifMatch: 'optional' | 'required',
    readonly secrets: SecretPolicy,
    readonly registrationTokens: LifetimePolicy,
    /** The registry's base URL, without a trailing slash; taken from each request when not configured. */
    readonly publicUrl?: string,
  ) {}
}

/** How many Clients callers without a token may register. */
export interface OpenRegistrationLimits {
  /** From one address (IPv6: one /64), on one day (UTC). */
  readonly perAddress: number;
  /** From all addresses, on one day. */
  readonly perDay: number;
  /** Waiting for an administrator, altogether. */
  readonly pending: number;
}

/** What configuration decides about Clients of developers. */
export class RegistrationPolicy {
  constructor(
    /** Absent: a token is required. */
    readonly open: OpenRegistrationLimits | undefined,
    /** After how many days an unused Client is disabled and, after as many again, deleted; absent: never. */
    readonly unusedDays: number | undefined,
    /** After how many days a Client that awaits approval is deleted. */
    readonly pendingDays: number,
    /** How many Clients a user of the issuer may register on one day (UTC). */
    readonly perUser: number,
  ) {}
}

const DAY_MS = 24 * 3_600_000;

/** When credentials of a kind expire. */
export class LifetimePolicy {
  /** @param maxSeconds the longest lifetime of a new one; absent: unlimited */
  constructor(readonly maxSeconds: number | undefined) {}

  /** @param seconds the requested lifetime, within the limit @returns null: never */
  expiryFrom(now: Date, seconds = this.maxSeconds): Date | null {
    return seconds === undefined ? null : new Date(now.getTime() + seconds * 1000);
  }
}

/** When client secrets expire, and how long before that the change feed announces it. */
export class SecretPolicy extends LifetimePolicy {
  constructor(
    maxSeconds: number | undefined,
    /** 0: the feed announces none. */
    readonly noticeDays: number,
    /** How long a hash of another product is accepted, in seconds; absent: imports must not contain secrets. */
    readonly importMaxSeconds?: number,
  ) {
    super(maxSeconds);
  }

  /** Secrets that expire before are announced. */
  announcedUntil(now: Date): Date {
    return new Date(now.getTime() + this.noticeDays * DAY_MS);
  }
}

/** How long changes are kept, in the feed and in the history of each Client. */
export class RetentionPolicy {
  constructor(private readonly days: number) {}

  /** Older changes may be deleted. */
  keptFrom(now: Date): Date {
    return new Date(now.getTime() - this.days * DAY_MS);
  }
}

/** How long jobs are kept, with their results. */
export class JobRetention extends RetentionPolicy {}

/** How long deleted Clients can be restored. */
export class DeletedClientRetention {
  constructor(private readonly days: number) {}

  /** Those deleted before can no longer be restored. */
  keptFrom(now: Date): Date {
    return daysFrom(now, -this.days);
  }

  /** Until when a Client deleted at this time can be restored. */
  keptUntil(deletedAt: Date): Date {
    return daysFrom(deletedAt, this.days);
  }
}

function daysFrom(time: Date, days: number): Date {
  return new Date(time.getTime() + days * DAY_MS);
}

/** After this many days, counts are kept by month. */
const DAYS_APART = 90;

/** Whether uses of Clients are recorded, and how long they are kept. */
export class UsagePolicy {
  constructor(
    readonly isRecorded: boolean,
    readonly days: number,
  ) {}

  /** The first day (UTC) whose counts are kept. */
  keptFrom(now: Date): string {
    return daysBefore(now, this.days);
  }

  /** The first day that is not added up by month. */
  daysFrom(now: Date): string {
    return daysBefore(now, DAYS_APART);
  }
}

function daysBefore(now: Date, days: number): string {
  return dayOf(daysFrom(now, -days));
}

/** The day in UTC, as in 2026-11-24. */
export function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}
