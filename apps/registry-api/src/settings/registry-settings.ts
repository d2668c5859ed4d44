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
    /** The registry's base URL, without a trailing slash; taken from each request when not configured. */
    readonly publicUrl?: string,
  ) {}
}

const DAY_MS = 24 * 3_600_000;

/** How long changes are kept, in the feed and in the history of each Client. */
export class RetentionPolicy {
  constructor(private readonly days: number) {}

  /** Older changes may be deleted. */
  keptFrom(now: Date): Date {
    return new Date(now.getTime() - this.days * DAY_MS);
  }
}
