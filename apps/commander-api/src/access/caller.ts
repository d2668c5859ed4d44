import type { Principal } from '@svc/service-kit';

/** Every scope that a route may require. */
export const COMMANDER_SCOPES = [
  'passwords:encrypt',
  'library:read',
  'library:write',
  'iplookup:read',
  'iplookup:write',
  'metrics:read',
] as const;

export type CommanderScope = (typeof COMMANDER_SCOPES)[number];

/** All libraries or lookups, or those with these names. */
export type Reach = 'all' | readonly string[];

/** A caller, and the libraries and lookups that it may use. */
export interface CommanderPrincipal extends Principal {
  /** `all` includes the unnamed one. */
  readonly libraries: Reach;
  readonly lookups: Reach;
}

/** @param name of a library; absent for the unnamed one, which only callers for all may use */
export function mayUseLibrary(principal: Principal, name?: string): boolean {
  const { libraries = [] } = principal as Partial<CommanderPrincipal>;
  return libraries === 'all' || (name !== undefined && libraries.includes(name));
}

export function mayUseLookup(principal: Principal, name: string): boolean {
  const { lookups = [] } = principal as Partial<CommanderPrincipal>;
  return lookups === 'all' || lookups.includes(name);
}

/** Whether the caller may use every lookup, including those that do not exist yet. */
export function mayUseAllLookups(principal: Principal): boolean {
  return (principal as Partial<CommanderPrincipal>).lookups === 'all';
}
