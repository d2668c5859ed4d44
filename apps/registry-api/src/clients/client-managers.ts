import { quote, type Violation } from '@svc/client-metadata';
import type { Caller } from '../http/current-caller.js';
import type { Manager } from './planned-change.js';

/** Who imports, and on behalf of what. */
export interface Importer {
  readonly caller: Caller;
  /** What manages the Clients that it registers or takes over. */
  readonly manager: Manager;
  /** Whether it takes over Clients that others manage. */
  readonly takesOver: boolean;
}

const SET = 'set:';

/** The manager for a named set of declarations. */
export function managerOfSet(name: string): Manager {
  return `${SET}${name}`;
}

/**
 * A set manages only its own Clients. Any other import may change those of users and developers, just as they may, but not
 * those of a set, which would change them back.
 *
 * @param owner null: unknown, since the Client is older than managers
 */
export function isManagedByOthers(owner: string | null, manager: Manager): boolean {
  if (manager.startsWith(SET)) return owner !== manager;
  return owner?.startsWith(SET) === true;
}

export function managedByOthers(owner: string | null): Violation {
  const message = `the client ${ownershipOf(owner)}; pass take_over=true to take it over`;
  return { field: '/client_id', code: 'managed_by_others', message };
}

function ownershipOf(owner: string | null): string {
  if (owner === null) return 'has no known manager';
  if (owner.startsWith(SET)) return `is managed by the set ${quote(owner.slice(SET.length))}`;
  return `is managed by ${owner === 'import' ? 'an import' : owner}`;
}
