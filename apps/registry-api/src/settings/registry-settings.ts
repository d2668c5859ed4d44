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
