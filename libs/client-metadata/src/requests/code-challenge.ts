import type { RuleViolation } from '@svc/foundation';
import type { CodeChallengeMethod } from '../fields/client-metadata.js';

/** The PKCE parameters of an authorization request (RFC 7636 section 4.3). */
interface CodeChallenge {
  readonly challenge: string | undefined;
  readonly method: string | undefined;
}

/** Codes of violations. */
export const CHALLENGE_RULES = [
  ...['pkce_missing', 'pkce_challenge_missing', 'pkce_challenge_malformed'],
  ...['pkce_method_unknown', 'pkce_method_not_allowed'],
];

/** `43*128unreserved` (RFC 7636 section 4.2). */
const CHALLENGE = /^[A-Za-z0-9\-._~]{43,128}$/;

/** A SHA-256 in base64url without padding. */
const S256_CHALLENGE = /^[A-Za-z0-9\-_]{43}$/;

/**
 * @param required the Client's method; `none` does not require PKCE, but what is sent must be valid
 * @returns what is wrong, for the developer of the application; `undefined` when nothing is
 */
export function codeChallengeViolation(
  { challenge, method }: CodeChallenge,
  required: CodeChallengeMethod,
): RuleViolation | undefined {
  if (challenge === undefined) return missingChallengeViolation(method, required);
  // Without a method it is plain (RFC 7636 section 4.3).
  const used = method ?? 'plain';
  if (used !== 'plain' && used !== 'S256')
    return broken(
      'pkce_method_unknown',
      'the code_challenge_method is neither plain nor S256 (RFC 7636 section 4.3)',
    );
  if (required !== 'none' && used !== required) {
    const reason = method === undefined ? 'has none, which means plain' : `uses ${used}`;
    return broken(
      'pkce_method_not_allowed',
      `the client must use code_challenge_method ${required}; the request ${reason}`,
    );
  }
  const isSound = used === 'S256' ? S256_CHALLENGE.test(challenge) : CHALLENGE.test(challenge);
  if (isSound) return undefined;
  return broken(
    'pkce_challenge_malformed',
    used === 'S256'
      ? 'the code_challenge is not a SHA-256 in base64url, which has 43 characters (RFC 7636 section 4.2)'
      : 'the code_challenge is not 43 to 128 of the characters A-Z a-z 0-9 - . _ ~ (RFC 7636 section 4.2)',
  );
}

function missingChallengeViolation(
  method: string | undefined,
  required: CodeChallengeMethod,
): RuleViolation | undefined {
  if (required !== 'none')
    return broken(
      'pkce_missing',
      `the code_challenge is missing; the client must use ${required} (RFC 7636 section 4.4.1)`,
    );
  return method === undefined
    ? undefined
    : broken(
        'pkce_challenge_missing',
        'the code_challenge_method is sent without a code_challenge (RFC 7636 section 4.3)',
      );
}

function broken(code: string, message: string): RuleViolation {
  return { code, message };
}
