import { generateKeyPairSync, type KeyPairKeyObjectResult } from 'node:crypto';
import fc from 'fast-check';
import { keySetViolations, MAX_KEY_SET_LENGTH } from './json-web-keys.js';
import { hostileJson } from '../../test/hostile-json.js';
import { canVerify, SIGNING_ALGORITHMS, verifyingKeys } from './signing-keys.js';

const PAIRS: Readonly<Record<string, KeyPairKeyObjectResult>> = {
  RSA: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  'P-256': generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  'P-384': generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  'P-521': generateKeyPairSync('ec', { namedCurve: 'P-521' }),
  Ed25519: generateKeyPairSync('ed25519'),
  Ed448: generateKeyPairSync('ed448'),
  X25519: generateKeyPairSync('x25519'),
};
const publicKey = (name: string) => PAIRS[name]!.publicKey.export({ format: 'jwk' });
const codesOf = (value: object) =>
  keySetViolations(value).map(({ path, code }) => `${path.join('/')} ${code}`);

test.each(Object.keys(PAIRS))(
  'public %s keys are accepted, private ones never, wherever they are',
  (name) => {
    expect(codesOf({ keys: [{ ...publicKey(name), kid: 'a', use: 'sig' }] })).toEqual([]);
    const secret = PAIRS[name]!.privateKey.export({ format: 'jwk' });
    const violations = keySetViolations({ keys: [publicKey('P-256'), secret] });
    expect(violations.map(({ code }) => code)).toEqual(['private_key']);
    expect(JSON.stringify(violations)).not.toContain(secret.d);
  },
);

test('any member of a private or symmetric key is enough to refuse it', () => {
  const members = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv'];
  for (const member of members)
    expect(codesOf({ keys: [{ ...publicKey('RSA'), [member]: 'AA' }] })).toEqual([
      `keys/0/${member} private_key`,
    ]);
  expect(codesOf({ keys: [{ kty: 'oct' }] })).toEqual(['keys/0/kty private_key']);
});

test.each<[string, object, string[]]>([
  ['no keys', {}, ['keys type']],
  ['an empty list', { keys: [] }, ['keys too_few']],
  ['too many', { keys: Array(21).fill(publicKey('P-256')) }, ['keys too_many']],
  ['a key that is none', { keys: [null] }, ['keys/0 type']],
  ['another member', { keys: [publicKey('P-256')], jwks_uri: 'x' }, [' jwks_member']],
  ['another type', { keys: [{ kty: 'AKP' }] }, ['keys/0/kty jwk']],
  ['another curve', { keys: [{ ...publicKey('P-256'), crv: 'secp256k1' }] }, ['keys/0/crv jwk']],
  ['a short coordinate', { keys: [{ ...publicKey('P-256'), x: 'AQAB' }] }, ['keys/0/x jwk']],
  ['a weak RSA key', { keys: [{ kty: 'RSA', n: 'A'.repeat(170), e: 'AQAB' }] }, ['keys/0/n jwk']],
  ['a huge RSA key', { keys: [{ kty: 'RSA', n: 'z'.repeat(2_000), e: 'AQAB' }] }, ['keys/0/n jwk']],
  ['a huge exponent', { keys: [{ ...publicKey('RSA'), e: 'z'.repeat(300) }] }, ['keys/0/e jwk']],
  ['not base64url', { keys: [{ ...publicKey('RSA'), e: 'A+/=' }] }, ['keys/0/e jwk']],
  ['a kid that is no text', { keys: [{ ...publicKey('P-256'), kid: 7 }] }, ['keys/0/kid jwk']],
  ['a NUL', { keys: [{ ...publicKey('P-256'), kid: 'a\0' }] }, ['keys/0/kid nul_character']],
  [
    'one id twice',
    {
      keys: [
        { ...publicKey('P-256'), kid: 'a' },
        { ...publicKey('RSA'), kid: 'a' },
        { ...publicKey('P-384'), kid: 'a' },
      ],
    },
    ['keys/2/kid duplicate'],
  ],
  ['much text', { keys: [{ ...publicKey('P-256'), x5u: 'x'.repeat(MAX_KEY_SET_LENGTH) }] }, [' too_long']],
])('%s is refused', (_case, value, expected) => {
  expect(codesOf(value)).toEqual(expected);
});

test('equivalent keys of different types may have the same kid (RFC 7517 section 4.5)', () => {
  const keys = ['P-256', 'RSA', 'Ed25519'].map((name) => ({ ...publicKey(name), kid: 'a' }));
  expect(codesOf({ keys })).toEqual([]);
});

test('any JSON gets an answer, and what is accepted has no private member', () => {
  const member = fc.constantFrom(
    'kty',
    'crv',
    'x',
    'y',
    'n',
    'e',
    'd',
    'k',
    'kid',
    'use',
    'x5c',
    '__proto__',
  );
  const key = fc.dictionary(member, fc.oneof(hostileJson, fc.constantFrom('EC', 'RSA', 'OKP', 'Ed25519')));
  fc.assert(
    fc.property(fc.array(fc.oneof(key, fc.constant(publicKey('Ed25519')))), (keys) => {
      if (keySetViolations({ keys }).length > 0) return;
      expect(keys.some((one) => 'd' in one || 'k' in one)).toBe(false);
    }),
  );
});

test('nested values have a limit', () => {
  const deep = JSON.parse(`${'['.repeat(2_000)}${']'.repeat(2_000)}`) as unknown;
  expect(keySetViolations({ keys: [{ ...publicKey('P-256'), x5c: deep }] })).toMatchObject([
    { code: 'too_deep' },
  ]);
});

test('of a value that is too large, only that is reported', () => {
  const x5c = Array<string>(200_000).fill('\0');
  expect(codesOf({ keys: [{ ...publicKey('P-256'), x5c }] })).toEqual([' too_long']);
});

test('a key verifies the algorithms of its type, unless it says otherwise', () => {
  const usable = (more: object, name = 'P-256') =>
    SIGNING_ALGORITHMS.filter((algorithm) => canVerify({ ...publicKey(name), ...more }, algorithm));
  expect(usable({})).toEqual(['ES256']);
  expect(usable({}, 'RSA')).toEqual(['PS256', 'PS384', 'PS512', 'RS256', 'RS384', 'RS512']);
  expect(usable({ alg: 'PS256' }, 'RSA')).toEqual(['PS256']);
  expect(usable({}, 'Ed25519')).toEqual(['Ed25519', 'EdDSA']);
  for (const more of [{ use: 'enc' }, { key_ops: ['encrypt'] }, { alg: 'HS256' }])
    expect(usable(more)).toEqual([]);
  expect(verifyingKeys({ keys: [publicKey('X25519'), publicKey('Ed25519')] })).toHaveLength(1);
});
