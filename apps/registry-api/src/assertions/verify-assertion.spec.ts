import fc from 'fast-check';
import {
  claimsOf,
  forgeWithPublicKey,
  makeSigner,
  nowInSeconds,
  signByHand,
} from '../../test/hand-made-assertion.js';
import { AssertionError, readHead, verifyAssertion } from './verify-assertion.js';

const ISSUER = 'https://login.example.com';
const ES = makeSigner('ES256', 'es');
const SIGNERS = [ES, makeSigner('RS256', 'rs'), makeSigner('PS256', 'ps'), makeSigner('EdDSA', 'ed')];
const KEYS = SIGNERS.map(({ publicJwk }) => publicJwk);

const check = async (assertion: string, keys = KEYS, only?: string): Promise<string> => {
  try {
    const head = readHead(assertion, only);
    const context = { clientId: 'shop', audience: [ISSUER, `${ISSUER}/token`], head, now: Date.now() / 1000 };
    await verifyAssertion(assertion, keys, context);
    return 'valid';
  } catch (error) {
    if (error instanceof AssertionError) return error.rule;
    throw error;
  }
};
const claims = (more: object = {}) => ({ ...claimsOf('shop', ISSUER), ...more });

test.each(SIGNERS)('a token signed with $algorithm is valid, with and without its key id', async (signer) => {
  expect(await check(signByHand(claims(), signer))).toBe('valid');
  const { kid: _kid, ...publicJwk } = signer.publicJwk;
  expect(await check(signByHand(claims(), { ...signer, publicJwk }))).toBe('valid');
});

test.each<[string, object, string]>([
  ['iss missing', { iss: undefined }, 'issuer'],
  ['iss of another', { iss: 'portal' }, 'issuer'],
  ['sub missing', { sub: undefined }, 'subject'],
  ['sub of a user', { sub: 'ann' }, 'subject'],
  ['aud missing', { aud: undefined }, 'audience'],
  ['aud of another server', { aud: 'https://other.example' }, 'audience'],
  ['aud that only begins like ours', { aud: `${ISSUER}/` }, 'audience'],
  ['aud of others', { aud: ['https://a.example', 'https://b.example'] }, 'audience'],
  ['aud that is no text', { aud: { [ISSUER]: true } }, 'audience'],
  ['exp missing', { exp: undefined }, 'expired'],
  ['exp in the past', { exp: nowInSeconds() - 40 }, 'expired'],
  ['exp as text', { exp: String(nowInSeconds() + 60) }, 'expired'],
  ['exp too far ahead', { exp: nowInSeconds() + 4_000 }, 'lifetime'],
  ['exp in milliseconds', { exp: Date.now() }, 'lifetime'],
  ['nbf in the future', { nbf: nowInSeconds() + 100 }, 'not_yet_valid'],
  ['jti missing', { jti: undefined }, 'jti'],
  ['jti empty', { jti: '' }, 'jti'],
  ['jti too long', { jti: 'x'.repeat(256) }, 'jti'],
  ['jti that is no text', { jti: 7 }, 'jti'],
])('a token with %s is not', async (_case, more, rule) => {
  expect(await check(signByHand(claims(more), ES))).toBe(rule);
});

test('one of several audiences and one of several of our names is enough', async () => {
  expect(await check(signByHand(claims({ aud: `${ISSUER}/token` }), ES))).toBe('valid');
  expect(await check(signByHand(claims({ aud: ['https://a.example', ISSUER] }), ES))).toBe('valid');
});

test('clocks may differ by half a minute', async () => {
  expect(await check(signByHand(claims({ exp: nowInSeconds() - 20 }), ES))).toBe('valid');
});

test('only asymmetric algorithms count, and only the registered one', async () => {
  expect(await check(forgeWithPublicKey(claims(), ES))).toBe('algorithm');
  expect(await check(signByHand(claims(), { ...ES, algorithm: 'none' }))).toBe('algorithm');
  expect(await check(signByHand(claims(), ES), KEYS, 'RS256')).toBe('algorithm');
  expect(await check(signByHand(claims(), ES), KEYS, 'ES256')).toBe('valid');
  expect(await check(signByHand(claims(), ES, { alg: 'RS256' }))).toBe('no_key');
});

test('a key that is unknown, another one of that id, or not for signatures does not verify', async () => {
  const stranger = makeSigner('ES256', 'stranger');
  expect(await check(signByHand(claims(), stranger))).toBe('no_key');
  expect(await check(signByHand(claims(), { ...stranger, publicJwk: ES.publicJwk }))).toBe('signature');
  expect(await check(signByHand(claims(), ES), [{ ...ES.publicJwk, use: 'enc' }])).toBe('no_key');
  expect(await check(signByHand(claims(), ES), [])).toBe('no_key');
  const offCurve = { ...ES.publicJwk, y: ES.publicJwk['x'] };
  expect(await check(signByHand(claims(), ES), [offCurve])).toBe('signature');
});

test('keys in the token are ignored', async () => {
  const stranger = makeSigner('ES256');
  const head = { jwk: stranger.publicJwk, jku: 'https://evil.example/keys', x5u: 'https://evil.example/x' };
  expect(await check(signByHand(claims(), stranger, head))).toBe('signature');
});

test.each<[string, string]>([
  ['nothing', ''],
  ['a letter', 'a'],
  ['three letters', 'a.b.c'],
  ['two dots', '..'],
  ['three empty objects', 'e30.e30.e30'],
  ['much text', 'x'.repeat(9_000)],
  ['a token without a signature', 'eyJhbGciOiJFUzI1NiJ9.e30.'],
])('%s is not a token', async (_case, text) => {
  expect(await check(text)).not.toBe('valid');
});

test('another type of token and an unknown critical header are refused', async () => {
  expect(await check(signByHand(claims(), ES, { typ: 'at+jwt' }))).toBe('malformed');
  expect(await check(signByHand(claims(), ES, { typ: 'client-authentication+jwt' }))).toBe('valid');
  expect(await check(signByHand(claims(), ES, { crit: ['b64'], b64: false }))).toBe('malformed');
  expect(await check(signByHand(claims(), ES, { crit: ['x'], x: 1 }))).toBe('malformed');
});

test('no change of a character leaves a token valid', async () => {
  const token = signByHand(claims(), ES);
  const character = fc.constantFrom(...'ABCxyz019-_.');
  await fc.assert(
    fc.asyncProperty(fc.nat(token.length - 1), character, async (at, other) => {
      const changed = token.slice(0, at) + other + token.slice(at + 1);
      // The last character has bits that do not count.
      fc.pre(changed !== token && at < token.length - 1);
      expect(await check(changed)).not.toBe('valid');
    }),
    { numRuns: 60 },
  );
});
