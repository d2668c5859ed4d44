import { AsyncLocalStorage } from 'node:async_hooks';
import type { ClientDocument } from './client-document.js';

/** The disabled Client, if any, that a request to the provider was about. */
export interface Lookup {
  disabled?: ClientDocument;
}

/** The lookup of the current request. Disabled Clients look nonexistent to the provider, so it cannot report them. */
export const lookups = new AsyncLocalStorage<Lookup>();

export function noteDisabled(client: ClientDocument): void {
  const lookup = lookups.getStore();
  if (lookup) lookup.disabled ??= client;
}
