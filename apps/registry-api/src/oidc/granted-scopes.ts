import { type Scope, SCOPES } from '../tokens/scopes.js';
import { type ClaimMap, parseClaimMap, spacedClaimValues } from './claim-map.js';

/** The registry's scopes for each of the issuer's values. */
export type ScopeMap = ClaimMap<Scope>;

/** The issuer uses the registry's names for scopes. */
export const SAME_SCOPES: ScopeMap = new Map(SCOPES.map((scope) => [scope, [scope]]));

const FORM = `<value>=<scope>, where the scope is * or one of ${SCOPES.join(', ')}`;

/**
 * Reads entries such as `registry-reader=clients:read`; `*` stands for all scopes.
 *
 * @throws {RangeError} that names the first entry that cannot be used
 */
export function parseScopeMap(entries: readonly string[]): ScopeMap {
  return parseClaimMap(entries, toScopes, FORM);
}

function toScopes(text: string): readonly Scope[] | undefined {
  if (text === '*') return SCOPES;
  const scope = SCOPES.find((known) => known === text);
  return scope && [scope];
}

/**
 * The registry's scopes that an access token grants.
 *
 * @param claim name of the claim with the scopes, or a JSON pointer to it
 */
export function grantedScopes(
  claims: Readonly<Record<string, unknown>>,
  claim: string,
  map: ScopeMap,
): Scope[] {
  return [...new Set(spacedClaimValues(claims, claim).flatMap((value) => map.get(value) ?? []))];
}
