import { memberOf } from '@svc/foundation';
/** What each value of an issuer's claim grants. */
export type ClaimMap<Grant> = ReadonlyMap<string, readonly Grant[]>;

/** `<value>=<grant>`; the value may contain equals signs. */
const ENTRY = /^(.+)=([^=]+)$/;

/**
 * Reads entries such as `registry-reader=clients:read`; a value may have several.
 *
 * @param toGrants undefined for a text that grants nothing known
 * @param form of an entry, for the message
 * @throws {RangeError} that names the first entry that cannot be used
 */
export function parseClaimMap<Grant>(
  entries: readonly string[],
  toGrants: (text: string) => readonly Grant[] | undefined,
  form: string,
): ClaimMap<Grant> {
  const map = new Map<string, readonly Grant[]>();
  for (const entry of entries) {
    const [, value, text = ''] = ENTRY.exec(entry) ?? [];
    const grants = toGrants(text);
    if (value === undefined || !grants) throw new RangeError(`'${entry}' is not ${form}`);
    map.set(value, [...new Set([...(map.get(value) ?? []), ...grants])]);
  }
  return map;
}

/**
 * The values of a claim: a string, which is one value whatever it contains, a list of strings, or a list of objects with a
 * `value` (RFC 7643).
 *
 * @param claim its name, or a JSON pointer (RFC 6901) such as `/realm_access/roles`
 */
export function claimValues(claims: Readonly<Record<string, unknown>>, claim: string): string[] {
  const found = claimOf(claims, claim);
  const items: readonly unknown[] = Array.isArray(found) ? found : [];
  return typeof found === 'string'
    ? [found]
    : items
        .map((item) => (typeof item === 'string' ? item : memberOf(item, 'value')))
        .filter((value) => typeof value === 'string');
}

/** The same of a claim whose string contains values separated by spaces, as that of `scope` does (RFC 8693 section 4.2). */
export function spacedClaimValues(claims: Readonly<Record<string, unknown>>, claim: string): string[] {
  const found = claimOf(claims, claim);
  return typeof found === 'string' ? found.split(' ') : claimValues(claims, claim);
}

function claimOf(claims: Readonly<Record<string, unknown>>, claim: string): unknown {
  if (!claim.startsWith('/')) return memberOf(claims, claim);
  const steps = claim.slice(1).split('/');
  return steps
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((value, step) => memberOf(value, step), claims);
}
