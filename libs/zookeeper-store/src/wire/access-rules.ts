/** Access to created nodes: everyone; authenticated users only; or everyone reads and authenticated users write. */
export type AccessRules = 'open' | 'auth' | 'read';

/** One line of a node's access control list. */
export interface AccessEntry {
  /** Bits: read 1, write 2, create 4, delete 8, administer 16. */
  readonly permissions: number;
  readonly scheme: string;
  readonly id: string;
}

const ALL = 31;
const READ = 1;
const CREATE = 4;
const EVERYONE = { scheme: 'world', id: 'anyone' };
/** The server replaces this with the identities of the creating session. */
const AUTHENTICATED = { scheme: 'auth', id: '' };

export function toAcl(rules: AccessRules): AccessEntry[] {
  if (rules === 'open') return [{ permissions: ALL, ...EVERYONE }];
  const own = { permissions: ALL, ...AUTHENTICATED };
  return rules === 'auth' ? [own] : [own, { permissions: READ, ...EVERYONE }];
}

/**
 * The ACL of nodes above a library, shared with other libraries: everyone can read and create below them, but not delete other
 * libraries' nodes.
 */
export function toSharedAcl(own: readonly AccessEntry[]): AccessEntry[] {
  const mine = own.filter(({ scheme }) => scheme !== EVERYONE.scheme);
  const everyone = mine.length === 0 ? ALL : READ | CREATE;
  return [...mine, { permissions: everyone, ...EVERYONE }];
}
