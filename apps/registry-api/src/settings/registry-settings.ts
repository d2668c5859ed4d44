import type { Capabilities } from '@svc/client-metadata';

/** What configuration decides about Clients. */
export class RegistrySettings {
  constructor(
    /** The metadata values supported here. */
    readonly capabilities: Capabilities,
    /** What the names of Clients' cookies begin with. */
    readonly cookiePrefix: string,
    /** Whether callers have to say which state of a Client they change or delete. */
    readonly ifMatch: 'optional' | 'required',
    /** Where callers reach the registry, without a slash at its end; as the request says when it is not configured. */
    readonly publicUrl?: string,
  ) {}
}
