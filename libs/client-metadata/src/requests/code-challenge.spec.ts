import { codeChallengeViolation } from './code-challenge.js';

/** RFC 7636 appendix B. */
const S256 = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const PLAIN = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk.~';

test.each([
  ['none', undefined, undefined],
  ['none', PLAIN, undefined],
  ['none', PLAIN, 'plain'],
  ['none', S256, 'S256'],
  ['plain', PLAIN, undefined],
  ['plain', PLAIN, 'plain'],
  ['S256', S256, 'S256'],
  ['plain', 'a'.repeat(43), 'plain'],
  ['plain', 'a'.repeat(128), 'plain'],
] as const)('a Client with %s may send %s by %s', (required, challenge, method) => {
  expect(codeChallengeViolation({ challenge, method }, required)).toBeUndefined();
});

const MISSING = 'the code_challenge is missing; the client must use';
const UNKNOWN = 'the code_challenge_method is neither plain nor S256 (RFC 7636 section 4.3)';
const NO_HASH =
  'the code_challenge is not a SHA-256 in base64url, which has 43 characters (RFC 7636 section 4.2)';
const NO_VERIFIER =
  'the code_challenge is not 43 to 128 of the characters A-Z a-z 0-9 - . _ ~ (RFC 7636 section 4.2)';

test.each([
  ['S256', undefined, undefined, `${MISSING} S256 (RFC 7636 section 4.4.1)`],
  ['S256', undefined, 'S256', `${MISSING} S256 (RFC 7636 section 4.4.1)`],
  ['plain', undefined, undefined, `${MISSING} plain (RFC 7636 section 4.4.1)`],
  [
    'none',
    undefined,
    'S256',
    'the code_challenge_method is sent without a code_challenge (RFC 7636 section 4.3)',
  ],
  [
    'S256',
    S256,
    undefined,
    'the client must use code_challenge_method S256; the request has none, which means plain',
  ],
  ['S256', S256, 'plain', 'the client must use code_challenge_method S256; the request uses plain'],
  ['plain', S256, 'S256', 'the client must use code_challenge_method plain; the request uses S256'],
  ['S256', S256, 's256', UNKNOWN],
  ['none', S256, 'S512', UNKNOWN],
  ['S256', `${S256}=`, 'S256', NO_HASH],
  ['S256', S256.slice(1), 'S256', NO_HASH],
  ['S256', S256.replace('-', '+'), 'S256', NO_HASH],
  ['none', 'a'.repeat(42), 'plain', NO_VERIFIER],
  ['none', 'a'.repeat(129), 'plain', NO_VERIFIER],
  ['none', `${PLAIN}/`, 'plain', NO_VERIFIER],
  ['plain', '', 'plain', NO_VERIFIER],
] as const)('a Client with %s may not send %s by %s', (required, challenge, method, message) => {
  expect(codeChallengeViolation({ challenge, method }, required)?.message).toBe(message);
});
