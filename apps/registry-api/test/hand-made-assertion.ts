import { createHmac, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';

/** How Node signs for an algorithm of JOSE; written out here, independent of the library that verifies. */
const SIGNERS: Readonly<Record<string, (input: Buffer, key: KeyObject) => Buffer>> = {
  RS256: (input, key) => sign('sha256', input, key),
  PS256: (input, key) => sign('sha256', input, { key, padding: 6, saltLength: 32 }),
  ES256: (input, key) => sign('sha256', input, { key, dsaEncoding: 'ieee-p1363' }),
  EdDSA: (input, key) => sign(null, input, key),
  none: () => Buffer.alloc(0),
};

/** A key pair that signs by one algorithm, and its public part as a JSON Web Key. */
export interface Signer {
  readonly algorithm: string;
  readonly privateKey: KeyObject;
  readonly publicJwk: Readonly<Record<string, unknown>>;
}

export function makeSigner(algorithm: 'RS256' | 'PS256' | 'ES256' | 'EdDSA', kid?: string): Signer {
  const pair = {
    RS256: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
    PS256: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
    ES256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    EdDSA: () => generateKeyPairSync('ed25519'),
  }[algorithm]();
  const publicJwk = { ...pair.publicKey.export({ format: 'jwk' }), ...(kid !== undefined && { kid }) };
  return { algorithm, privateKey: pair.privateKey, publicJwk };
}

export const nowInSeconds = (): number => Math.floor(Date.now() / 1000);

/** The claims of RFC 7523 for a Client. */
export function claimsOf(clientId: string, audience: unknown): Record<string, unknown> {
  return { iss: clientId, sub: clientId, aud: audience, exp: nowInSeconds() + 60, jti: randomUUID() };
}

/** A JWS in compact form, signed without a library. */
export function signByHand(
  claims: object,
  { algorithm, privateKey, publicJwk }: Signer,
  header: Readonly<Record<string, unknown>> = {},
): string {
  const head = {
    alg: algorithm,
    ...(publicJwk['kid'] !== undefined && { kid: publicJwk['kid'] }),
    ...header,
  };
  const input = [head, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const signature = SIGNERS[algorithm]!(Buffer.from(input), privateKey);
  return `${input}.${signature.toString('base64url')}`;
}

/** The classic forgery: a MAC keyed with the public key. */
export function forgeWithPublicKey(claims: object, { publicJwk }: Signer): string {
  const input = [{ alg: 'HS256' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${input}.${createHmac('sha256', JSON.stringify(publicJwk)).update(input).digest('base64url')}`;
}
