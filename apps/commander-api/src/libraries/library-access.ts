import type { Principal } from '@svc/service-kit';

/** A caller, and the libraries that it may use. */
export interface LibraryPrincipal extends Principal {
  /** All, the unnamed one included; or those with these names. */
  readonly libraries: 'all' | readonly string[];
}

/** @param name of a library; absent for the unnamed one, which only callers for all may use */
export function mayUse(principal: Principal, name?: string): boolean {
  const { libraries = [] } = principal as Partial<LibraryPrincipal>;
  return libraries === 'all' || (name !== undefined && libraries.includes(name));
}
