/** A public key (RFC 7517 section 4). */
export type JsonWebKey = Readonly<Record<string, unknown>>;

/** A JSON Web Key Set (RFC 7517 section 5). */
export interface JsonWebKeySet {
  readonly keys: readonly JsonWebKey[];
}

const KEY_TYPES = {
  PS256: { kty: 'RSA' },
  PS384: { kty: 'RSA' },
  PS512: { kty: 'RSA' },
  RS256: { kty: 'RSA' },
  RS384: { kty: 'RSA' },
  RS512: { kty: 'RSA' },
  ES256: { kty: 'EC', crv: 'P-256' },
  ES384: { kty: 'EC', crv: 'P-384' },
  ES512: { kty: 'EC', crv: 'P-521' },
  Ed25519: { kty: 'OKP', crv: 'Ed25519' },
  EdDSA: { kty: 'OKP', crv: 'Ed25519' },
} as const;

export type SigningAlgorithm = keyof typeof KEY_TYPES;

/** The asymmetric algorithms with which a Client may sign assertions (RFC 7518 section 3.1, RFC 8037, RFC 9864). */
export const SIGNING_ALGORITHMS = Object.keys(KEY_TYPES) as readonly SigningAlgorithm[];

export function isSigningAlgorithm(name: unknown): name is SigningAlgorithm {
  return typeof name === 'string' && Object.hasOwn(KEY_TYPES, name);
}

/** Whether a key can verify signatures of the algorithm, judging by its own members. */
export function canVerify(key: JsonWebKey, algorithm: SigningAlgorithm): boolean {
  const { kty, crv, use, alg, key_ops: operations } = key;
  const needed: { readonly kty: string; readonly crv?: string } = KEY_TYPES[algorithm];
  return (
    kty === needed.kty &&
    (needed.crv === undefined || crv === needed.crv) &&
    (use === undefined || use === 'sig') &&
    (alg === undefined || alg === algorithm) &&
    (operations === undefined || (Array.isArray(operations) && operations.includes('verify')))
  );
}

/** The keys of a set that can verify signatures of any of the algorithms. */
export function verifyingKeys(
  { keys }: JsonWebKeySet,
  algorithms: readonly SigningAlgorithm[] = SIGNING_ALGORITHMS,
): readonly JsonWebKey[] {
  return keys.filter((key) => algorithms.some((algorithm) => canVerify(key, algorithm)));
}
