/** Who may do what with created nodes: everyone; only who authenticated; or these write and everyone reads. */
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
/** Server-side, this stands for the identities of the session that creates the node. */
const AUTHENTICATED = { scheme: 'auth', id: '' };

export function toAcl(rules: AccessRules): AccessEntry[] {
  if (rules === 'open') return [{ permissions: ALL, ...EVERYONE }];
  const own = { permissions: ALL, ...AUTHENTICATED };
  return rules === 'auth' ? [own] : [own, { permissions: READ, ...EVERYONE }];
}

/**
 * Rights on nodes above a library, which other libraries share: everyone can pass through them, and no one
 * can remove what is not theirs.
 */
export function toSharedAcl(own: readonly AccessEntry[]): AccessEntry[] {
  const mine = own.filter(({ scheme }) => scheme !== EVERYONE.scheme);
  const everyone = mine.length === 0 ? ALL : READ | CREATE;
  return [...mine, { permissions: everyone, ...EVERYONE }];
}
