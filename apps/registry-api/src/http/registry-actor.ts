import { ALL_CLIENTS } from '@svc/client-metadata';
import type { Caller } from './current-caller.js';

/**
 * The registry itself, as the history records its own changes: without an address, and with an id that no token has, because
 * those have 16 characters.
 */
export function registryActor(name: string): Caller {
  return { id: 'registry', name, address: '', selector: ALL_CLIENTS, seesActors: true };
}
