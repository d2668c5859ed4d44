import type { RuleViolation } from '@svc/foundation';
import type { JsonWebKey } from './signing-keys.js';
import { characterViolations } from './text-violations.js';

/** Keys in a set. */
export const MAX_KEYS = 20;

/** Length of a set as JSON, in characters. */
export const MAX_KEY_SET_LENGTH = 16_384;

const MAX_TEXT_LENGTH = 255;

/** A certificate in x5c is at the fourth level. */
const MAX_DEPTH = 8;

/** A violation inside a JSON object, and the path to its place. */
export interface PlacedViolation extends RuleViolation {
  readonly path: readonly (string | number)[];
}

/** Members that only private and symmetric keys have (RFC 7518 sections 6.2.2, 6.3.2, 6.4.1; RFC 8037; RFC 9964). */
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv'];

/** Bytes of a coordinate (RFC 7518 section 6.2.1.2). */
const EC_CURVES: ReadonlyMap<unknown, number> = new Map([
  ['P-256', 32],
  ['P-384', 48],
  ['P-521', 66],
]);

/** Bytes of a public key (RFC 8037 section 2). */
const OKP_CURVES: ReadonlyMap<unknown, number> = new Map([
  ['Ed25519', 32],
  ['X25519', 32],
  ['Ed448', 57],
  ['X448', 56],
]);

/** Bytes of an RSA modulus: at least 2048 bits (RFC 7518 section 3.3); verifying with a larger one takes long. */
const RSA_MODULUS = { least: 256, most: 1024 };

/** Bytes of an RSA exponent: larger ones make verifying slow. */
const RSA_EXPONENT = { least: 1, most: 8 };

/** What keeps a value from being a set of public keys. Messages start with a verb and contain no key material. */
export function keySetViolations(value: object): PlacedViolation[] {
  const names = Object.keys(value).filter((name) => name !== 'keys');
  if (names.length > 0) return [at([], 'jwks_member', 'must have no member but keys')];
  const { keys } = value as { readonly keys?: unknown };
  if (!Array.isArray(keys)) return [at(['keys'], 'type', 'must have an array keys')];
  if (keys.length === 0) return [at(['keys'], 'too_few', 'must have at least 1 key')];
  if (keys.length > MAX_KEYS) return [at(['keys'], 'too_many', `must have at most ${MAX_KEYS} keys`)];
  const found = keys.flatMap((key: unknown, index) =>
    keyViolations(key).map(({ path, ...rest }) => ({ ...rest, path: ['keys', index, ...path] })),
  );
  const outsized = sizeViolation(value);
  // Skips the slow checks, which could find thousands of violations in an oversized value.
  if (outsized) return found.length > 0 ? found : [outsized];
  const unusable = [...found, ...textViolations(value)];
  return unusable.length > 0 ? unusable : repeatedIds(keys as JsonWebKey[]);
}

function sizeViolation(value: object): PlacedViolation | undefined {
  const deepest = pathBelowMaxDepth(value);
  if (deepest) return at(deepest, 'too_deep', `must be at most ${MAX_DEPTH} levels deep`);
  if (JSON.stringify(value).length <= MAX_KEY_SET_LENGTH) return undefined;
  return at([], 'too_long', `must be at most ${MAX_KEY_SET_LENGTH} characters of JSON`);
}

function pathBelowMaxDepth(value: object, path: readonly string[] = []): readonly string[] | undefined {
  if (path.length > MAX_DEPTH) return path;
  for (const [name, member] of Object.entries(value) as Iterable<[string, unknown]>) {
    const found = typeof member === 'object' && member !== null && pathBelowMaxDepth(member, [...path, name]);
    if (found) return found;
  }
  return undefined;
}

/** The same for one key. */
function keyViolations(key: unknown): PlacedViolation[] {
  if (typeof key !== 'object' || key === null || Array.isArray(key))
    return [at([], 'type', 'must contain JSON objects as keys')];
  const members = key as JsonWebKey;
  const secret = PRIVATE_MEMBERS.find((name) => Object.hasOwn(members, name));
  if (secret !== undefined || members['kty'] === 'oct')
    return [at(secret === undefined ? ['kty'] : [secret], 'private_key', PUBLIC_ONLY)];
  return [...textMembers(members), ...parameterViolations(members)];
}

const PUBLIC_ONLY = 'must contain only public keys: this one is private or symmetric; replace it everywhere';

function textMembers(key: JsonWebKey): PlacedViolation[] {
  return ['kid', 'use', 'alg'].flatMap((name) => {
    const value = key[name];
    if (value === undefined) return [];
    if (typeof value === 'string' && value.length > 0 && value.length <= MAX_TEXT_LENGTH) return [];
    return [at([name], 'jwk', `must have ${name} as a string of 1 to ${MAX_TEXT_LENGTH} characters`)];
  });
}

function parameterViolations(key: JsonWebKey): PlacedViolation[] {
  const { kty, crv } = key;
  if (kty === 'RSA') return [...sized(key, 'n', RSA_MODULUS), ...sized(key, 'e', RSA_EXPONENT)];
  const curves = kty === 'EC' ? EC_CURVES : kty === 'OKP' ? OKP_CURVES : undefined;
  if (!curves) return [at(['kty'], 'jwk', 'must have keys with kty RSA, EC or OKP')];
  const bytes = curves.get(crv);
  if (bytes === undefined)
    return [at(['crv'], 'jwk', `must have a crv that is one of ${[...curves.keys()].join(', ')}`)];
  return (kty === 'EC' ? ['x', 'y'] : ['x']).flatMap((name) =>
    sized(key, name, { least: bytes, most: bytes }),
  );
}

function sized(
  key: JsonWebKey,
  name: string,
  { least, most }: { readonly least: number; readonly most: number },
): PlacedViolation[] {
  const value = key[name];
  const bytes = typeof value === 'string' && /^[\w-]+$/.test(value) ? Math.floor((value.length * 3) / 4) : 0;
  if (bytes >= least && bytes <= most) return [];
  const size = least === most ? `${least}` : `${least} to ${most}`;
  return [at([name], 'jwk', `must have ${name} as ${size} bytes in base64url (RFC 7518 section 6)`)];
}

/** Strings, at any depth, that a database or another system would not store unchanged. */
function textViolations(value: unknown, path: readonly (string | number)[] = []): PlacedViolation[] {
  if (typeof value === 'string')
    return characterViolations(value).map((violation) => ({ ...violation, path }));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [
    ...characterViolations(name).map((violation) => ({ ...violation, path })),
    ...textViolations(member, [...path, name]),
  ]);
}

/** Keys of one set should be told apart, except alternatives of different types (RFC 7517 section 4.5). */
function repeatedIds(keys: readonly JsonWebKey[]): PlacedViolation[] {
  return keys.flatMap(({ kid, kty }, index) =>
    kid !== undefined && keys.findIndex((other) => other.kid === kid && other.kty === kty) < index
      ? [at(['keys', index, 'kid'], 'duplicate', 'must have a different kid for each key of the same kty')]
      : [],
  );
}

function at(path: readonly (string | number)[], code: string, message: string): PlacedViolation {
  return { path, code, message };
}
