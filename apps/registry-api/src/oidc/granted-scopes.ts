import { type Scope, SCOPES } from '../tokens/scopes.js';

/** The registry's scopes for each of the issuer's values. */
export type ScopeMap = ReadonlyMap<string, readonly Scope[]>;

/** `<value>=<scope>`; the value may contain equals signs. */
const ENTRY = /^(.+)=([^=]+)$/;

/** The issuer uses the registry's names for scopes. */
export const SAME_SCOPES: ScopeMap = new Map(SCOPES.map((scope) => [scope, [scope]]));

/**
 * Reads entries such as `registry-reader=clients:read`; `*` stands for all scopes, and a value may have several entries.
 *
 * @throws {RangeError} that names the first entry that cannot be used
 */
export function parseScopeMap(entries: readonly string[]): ScopeMap {
  const map = new Map<string, readonly Scope[]>();
  for (const entry of entries) {
    const [, value, scope] = ENTRY.exec(entry) ?? [];
    const scopes = scope === '*' ? SCOPES : SCOPES.filter((known) => known === scope);
    if (value === undefined || scopes.length === 0) {
      throw new RangeError(
        `'${entry}' is not <value>=<scope>, where the scope is * or one of ${SCOPES.join(', ')}`,
      );
    }
    map.set(value, [...new Set([...(map.get(value) ?? []), ...scopes])]);
  }
  return map;
}

/**
 * The registry's scopes that an access token grants.
 *
 * @param claim name of the claim with the scopes, or a JSON pointer (RFC 6901) such as `/realm_access/roles`. Its value is a
 *   space-separated string (RFC 8693 section 4.2), a list of strings, or a list of objects with a `value` (RFC 7643)
 */
export function grantedScopes(
  claims: Readonly<Record<string, unknown>>,
  claim: string,
  map: ScopeMap,
): Scope[] {
  return [...new Set(claimValues(claims, claim).flatMap((value) => map.get(value) ?? []))];
}

/** The values of a claim, named as for `grantedScopes`. */
export function claimValues(claims: Readonly<Record<string, unknown>>, claim: string): string[] {
  return valuesOf(claim.startsWith('/') ? pointedAt(claims, claim) : ownMember(claims, claim));
}

function valuesOf(claim: unknown): string[] {
  if (typeof claim === 'string') return claim.split(' ');
  if (!Array.isArray(claim)) return [];
  return claim
    .map((item: unknown) => (typeof item === 'string' ? item : ownMember(item, 'value')))
    .filter((value) => typeof value === 'string');
}

function pointedAt(claims: unknown, pointer: string): unknown {
  const steps = pointer.slice(1).split('/');
  return steps
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((value, step) => ownMember(value, step), claims);
}

function ownMember(value: unknown, name: string): unknown {
  const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
  return isObject ? (value as Record<string, unknown>)[name] : undefined;
}
