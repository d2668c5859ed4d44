import { AccessRule, Id, Permission, type ACL } from './driver.js';

/** Who may do what with created nodes: everyone; only who authenticated; or these write and everyone reads. */
export type AccessRules = 'open' | 'auth' | 'read';

/** Server-side, `auth` stands for the identities of the session that creates the node. */
const AUTHENTICATED = new Id('auth', '');
const EVERYONE = new Id('world', 'anyone');

export function toAcl(rules: AccessRules): ACL[] {
  if (rules === 'open') return [new AccessRule(Permission.ALL, EVERYONE)];
  const own = new AccessRule(Permission.ALL, AUTHENTICATED);
  return rules === 'auth' ? [own] : [own, new AccessRule(Permission.READ, EVERYONE)];
}
