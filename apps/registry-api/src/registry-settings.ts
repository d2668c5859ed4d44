import type { Capabilities } from '@svc/client-metadata';

/** What configuration decides about Clients. */
export class RegistrySettings {
  constructor(
    /** The metadata values supported here. */
    readonly capabilities: Capabilities,
    /** What the names of Clients' cookies begin with. */
    readonly cookiePrefix: string,
  ) {}
}
