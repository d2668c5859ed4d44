import {
  canVerify,
  isSigningAlgorithm,
  type JsonWebKey,
  SIGNING_ALGORITHMS,
  type SigningAlgorithm,
} from '@svc/client-metadata';
import { decodeProtectedHeader, errors, importJWK, type JWTPayload, jwtVerify } from 'jose';

/** Seconds that the clocks of Client and registry may differ. */
export const ASSERTION_CLOCK_TOLERANCE_S = 30;

/** How far ahead an assertion may expire, in seconds: until then, its jti is remembered. */
export const MAX_ASSERTION_LIFETIME_S = 3_600;

const MAX_JTI_LENGTH = 255;

/** Keys that match an assertion without a key id; each takes a verification. */
const MAX_CANDIDATES = 4;

const TYPES = ['jwt', 'client-authentication+jwt'];

/** Why an assertion is not valid, for programs and as text. */
export class AssertionError extends Error {
  override readonly name = 'AssertionError';

  constructor(
    readonly rule: AssertionRule,
    message: string,
  ) {
    super(message);
  }
}

export const ASSERTION_RULES = [
  'malformed',
  'method',
  'algorithm',
  'keys_unavailable',
  'no_key',
  'signature',
  'issuer',
  'subject',
  'audience',
  'expired',
  'lifetime',
  'not_yet_valid',
  'jti',
  'jti_used',
  'too_many',
] as const;
export type AssertionRule = (typeof ASSERTION_RULES)[number];

/** What an assertion says about its signature, before it is verified. */
export interface AssertionHead {
  readonly algorithm: SigningAlgorithm;
  readonly kid: string | undefined;
}

export interface VerifiedAssertion {
  readonly jti: string;
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

/** @param only the algorithm that the Client is registered with; absent: any that is supported @throws {AssertionError} */
export function readHead(assertion: string, only: string | undefined): AssertionHead {
  const { alg, kid, typ } = headerOf(assertion);
  if (!isSigningAlgorithm(alg) || (only !== undefined && alg !== only)) {
    const wanted = only ?? `one of ${SIGNING_ALGORITHMS.join(', ')}`;
    throw new AssertionError('algorithm', `alg must be ${wanted}`);
  }
  if (
    typ !== undefined &&
    !TYPES.includes(
      String(typ)
        .toLowerCase()
        .replace(/^application\//, ''),
    )
  )
    throw new AssertionError('malformed', 'typ must be JWT or client-authentication+jwt');
  return { algorithm: alg, kid: typeof kid === 'string' ? kid : undefined };
}

/** Whether a key may be the one that signed. */
export function mayHaveSigned(key: JsonWebKey, { algorithm, kid }: AssertionHead): boolean {
  return canVerify(key, algorithm) && (kid === undefined || key['kid'] === kid);
}

/**
 * Verifies a client assertion's signature and claims (RFC 7523 section 3), except that its jti was not used before.
 *
 * @param audience identifiers of the authorization server, one of which the assertion must name
 * @param now seconds since 1970
 * @throws {AssertionError}
 */
export async function verifyAssertion(
  assertion: string,
  keys: readonly JsonWebKey[],
  { clientId, audience, head, now }: AssertionContext,
): Promise<VerifiedAssertion> {
  const candidates = keys.filter((key) => mayHaveSigned(key, head)).slice(0, MAX_CANDIDATES);
  if (candidates.length === 0)
    throw new AssertionError('no_key', 'the client has no signing key with this alg and kid');
  const claims = await verifiedClaims(assertion, candidates, head, now);
  if (claims.iss !== clientId) throw new AssertionError('issuer', 'iss must be the client_id');
  if (claims.sub !== clientId) throw new AssertionError('subject', 'sub must be the client_id');
  if (![claims.aud].flat().some((one) => one !== undefined && audience.includes(one)))
    throw new AssertionError('audience', 'aud must be the authorization server');
  const { exp, jti } = claims;
  if (exp === undefined) throw new AssertionError('expired', 'exp is missing');
  if (exp > now + MAX_ASSERTION_LIFETIME_S)
    throw new AssertionError('lifetime', `exp must be at most ${MAX_ASSERTION_LIFETIME_S} seconds ahead`);
  if (typeof jti !== 'string' || jti === '' || jti.length > MAX_JTI_LENGTH)
    throw new AssertionError('jti', `jti must be text of 1 to ${MAX_JTI_LENGTH} characters`);
  return { jti, expiresAt: exp + ASSERTION_CLOCK_TOLERANCE_S };
}

export interface AssertionContext {
  readonly clientId: string;
  readonly audience: readonly string[];
  readonly head: AssertionHead;
  readonly now: number;
}

function headerOf(assertion: string): ReturnType<typeof decodeProtectedHeader> {
  try {
    return decodeProtectedHeader(assertion);
  } catch {
    throw new AssertionError('malformed', 'the assertion is not a signed JWT');
  }
}

async function verifiedClaims(
  assertion: string,
  candidates: readonly JsonWebKey[],
  { algorithm }: AssertionHead,
  now: number,
): Promise<JWTPayload> {
  const options = {
    algorithms: [algorithm],
    currentDate: new Date(now * 1000),
    clockTolerance: ASSERTION_CLOCK_TOLERANCE_S,
  };
  for (const candidate of candidates) {
    try {
      const key = await importJWK({ ...candidate, kty: String(candidate['kty']) }, algorithm);
      return (await jwtVerify(assertion, key, options)).payload;
    } catch (error) {
      // Another key may have signed it. jose and Web Crypto throw other errors for a key that cannot be used.
      if (!(error instanceof errors.JOSEError) || error instanceof errors.JWSSignatureVerificationFailed)
        continue;
      throw toAssertionError(error);
    }
  }
  throw new AssertionError('signature', "the signature does not match any of the client's keys");
}

function toAssertionError(error: errors.JOSEError): AssertionError {
  if (error instanceof errors.JWTExpired) return new AssertionError('expired', 'the assertion has expired');
  if (error instanceof errors.JWTClaimValidationFailed && error.claim === 'nbf')
    return new AssertionError('not_yet_valid', 'nbf is in the future, or not a number');
  if (error instanceof errors.JWTClaimValidationFailed && error.claim === 'exp')
    return new AssertionError('expired', 'exp must be a number');
  return new AssertionError('malformed', 'the assertion is not a JWT that can be verified');
}
