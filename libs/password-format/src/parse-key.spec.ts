import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import type { KeyForm } from './key-form.js';
import { toJwkText } from './parse-jwk.js';
import { parseKeyFile } from './parse-key.js';
import { type OpeningKey, PasswordKey } from './password-key.js';

const key = Buffer.from([...Array(32).keys()].map((byte) => byte * 8 + 3));
const parse = (content: string | Uint8Array, form?: KeyForm) =>
  parseKeyFile(typeof content === 'string' ? Buffer.from(content) : content, form).map((one) =>
    Buffer.from(bytesOf(one)).toString('hex'),
  );
/** Of a symmetric key; the key pairs have a test of their own. */
const bytesOf = (one: OpeningKey) => (one as PasswordKey).bytes();
const base64url = (bytes: Buffer) => bytes.toString('base64url');

test.each<[string, string | Uint8Array]>([
  ['hex', key.toString('hex')],
  ['hex in capitals with a line break', `${key.toString('hex').toUpperCase()}\n`],
  [
    'hex in lines, as xxd writes it',
    `${key.toString('hex').slice(0, 60)}\r\n${key.toString('hex').slice(60)}\r\n`,
  ],
  ['base64 with padding', `${key.toString('base64')}\n`],
  ['base64 without padding', key.toString('base64').replace('=', '')],
  ['base64url', base64url(key)],
  ['raw bytes', key],
  ['a JWK', JSON.stringify({ kty: 'oct', k: base64url(key) })],
  [
    'a JWK with a byte order mark',
    `\ufeff${JSON.stringify({ kty: 'oct', k: base64url(key), use: 'enc', kid: 'x' })}`,
  ],
  ['a JWK set of one', JSON.stringify({ keys: [{ kty: 'oct', k: base64url(key) }] })],
])('a key is read from %s', (_form, content) => {
  expect(parse(content)).toEqual([key.toString('hex')]);
});

test.each([16, 24, 32])('%i bytes are a key', (size) => {
  const bytes = Buffer.alloc(size, 0xf1);
  expect(parse(bytes)).toEqual([bytes.toString('hex')]);
  expect(parse(JSON.stringify({ kty: 'oct', k: base64url(bytes) }))).toEqual([bytes.toString('hex')]);
});

test('a JWK set keeps its order: the first encrypts', () => {
  const keys = [16, 32, 24].map((size) => Buffer.alloc(size, size));
  const set = JSON.stringify({ keys: keys.map((bytes) => ({ kty: 'oct', k: base64url(bytes) })) });
  expect(parse(set)).toEqual(keys.map((bytes) => bytes.toString('hex')));
});

test.each([
  ['one key', 1],
  ['three keys', 3],
])('keygen’s output for %s is read back', (_case, count) => {
  const [first, ...others] = Array.from({ length: count }, () => new PasswordKey(randomBytes(32)));
  expect(parse(toJwkText([first!, ...others]))).toHaveLength(count);
  expect(parse(toJwkText([first!, ...others]))[0]).toBe(Buffer.from(first!.bytes()).toString('hex'));
});

describe('a key valid in two forms', () => {
  const digits = '00112233445566778899aabbccddeeff';

  test('is rejected, naming the forms', () => {
    expect(() => parse(digits)).toThrow(/hex of 16 bytes or base64 of 24 bytes or raw of 32 bytes/);
    expect(() => parse(`${digits}\n`)).toThrow(/hex of 16 bytes or base64 of 24 bytes;/);
  });

  test.each<[KeyForm, string]>([
    ['hex', digits],
    ['base64', Buffer.from(digits, 'base64').toString('hex')],
    ['raw', Buffer.from(digits).toString('hex')],
  ])('is read as %s if specified', (form, expected) => {
    expect(parse(digits, form)).toEqual([expected]);
  });
});

const SIZES = 'a key has 16, 24 or 32 bytes, as a JWK, hex, base64 or raw';
const MARKED = 'the key begins with a byte order mark: save it as ASCII or as UTF-8 without one';
const NO_K = 'the JWK has no "k" in base64url without padding';

test.each<[string, string | Uint8Array, KeyForm | undefined, string, string]>([
  ['nothing', '', undefined, 'empty', 'the key is empty'],
  [
    'a raw key with a line break after it',
    `${'\u0001'.repeat(32)}\n`,
    undefined,
    'size',
    `the key has 33 bytes as raw; ${SIZES}`,
  ],
  [
    'hex of 20 bytes',
    'ab'.repeat(20),
    undefined,
    'size',
    `the key has 20 bytes as hex, 30 bytes as base64, 40 bytes as raw; ${SIZES}`,
  ],
  ['hex with a byte order mark', `\ufeff${'ab'.repeat(32)}`, undefined, 'malformed', MARKED],
  [
    'hex with a byte order mark, specified as hex',
    `\ufeff${'ab'.repeat(32)}\r\n`,
    'hex',
    'malformed',
    MARKED,
  ],
  [
    'base64 with a byte order mark',
    `\ufeff${Buffer.alloc(32, 'abc').toString('base64')}\n`,
    undefined,
    'malformed',
    MARKED,
  ],
  ['UTF-16', Buffer.from(`\ufeff${'ab'.repeat(32)}`, 'utf16le'), undefined, 'malformed', MARKED],
  ['raw bytes specified as hex', key, 'hex', 'malformed', 'the key is not hex text'],
  ['an odd number of digits', 'abc', 'hex', 'malformed', 'the key is not hex text'],
  ['hex of a wrong size', 'abcd', 'hex', 'size', 'a key has 16, 24 or 32 bytes, not 2'],
  ['base64 with a stray character', 'AAAA*AAA', 'base64', 'malformed', 'the key is not base64 text'],
  [
    'a JWK cut short',
    '{"kty":"oct","k":"c2VjcmV0IGtleSBtYXRlcmlhbA',
    undefined,
    'malformed',
    'the key begins like a JWK but is not JSON',
  ],
  [
    'a JWK of another type',
    '{"kty":"RSA","n":"AQAB"}',
    undefined,
    'malformed',
    'the JWK does not have the key type "oct", "EC" or "OKP"',
  ],
  [
    'a JWK for signatures',
    JSON.stringify({ kty: 'oct', use: 'sig', k: base64url(key) }),
    undefined,
    'malformed',
    'the JWK is not for encryption ("use")',
  ],
  [
    'a JWK with padding',
    JSON.stringify({ kty: 'oct', k: key.toString('base64') }),
    undefined,
    'malformed',
    NO_K,
  ],
  ['a JWK without k', '{"kty":"oct"}', undefined, 'malformed', NO_K],
  [
    'a JWK of 20 bytes',
    JSON.stringify({ kty: 'oct', k: base64url(key.subarray(12)) }),
    undefined,
    'size',
    'the JWK has 20 bytes; a key has 16, 24 or 32',
  ],
  ['a JWK set without keys', '{"keys":[]}', undefined, 'empty', 'the JWK set has no key'],
  ['a JWK set without an array', '{"keys":{}}', undefined, 'malformed', 'the JWK set has no array "keys"'],
  [
    'a JWK set with a bad second key',
    JSON.stringify({ keys: [{ kty: 'oct', k: base64url(key) }, null] }),
    undefined,
    'malformed',
    'key 2 of the JWK set does not have the key type "oct", "EC" or "OKP"',
  ],
  [
    'a file of a megabyte',
    Buffer.alloc(1_000_000),
    undefined,
    'size',
    'the key has 1000000 bytes; a key file has at most 65536',
  ],
])('%s is refused', (_case, content, form, code, message) => {
  expect(catchError(() => parse(content, form))).toMatchObject({ name: 'InvalidKeyError', code, message });
});

test('a raw key may begin like JSON', () => {
  const brace = Buffer.concat([Buffer.from('{'), Buffer.alloc(31, 0xee)]);
  expect(parse(brace)).toEqual([brace.toString('hex')]);
});

test('no message contains key material', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Za-z0-9{}"]{12,80}$/), (content) => {
      const message = messageOf(() => parse(content));
      for (let at = 0; at + 8 <= content.length; at += 1)
        expect(message).not.toContain(content.slice(at, at + 8));
    }),
  );
});

test('any bytes yield a key or an InvalidKeyError, in any form', () => {
  const forms = fc.constantFrom(undefined, 'hex' as const, 'base64' as const, 'raw' as const);
  const contents = fc.oneof(
    fc.uint8Array({ maxLength: 80 }),
    fc.json().map((text) => Buffer.from(text)),
    fc
      .dictionary(fc.constantFrom('kty', 'k', 'use', 'keys'), fc.jsonValue())
      .map((jwk) => Buffer.from(JSON.stringify(jwk))),
    fc.constant(Buffer.from('{"a":'.repeat(10_000))),
  );
  fc.assert(
    fc.property(contents, forms, (content, form) => {
      try {
        for (const key of parseKeyFile(content, form)) expect([16, 24, 32]).toContain(bytesOf(key).length);
      } catch (error) {
        expect((error as Error).name).toBe('InvalidKeyError');
      }
    }),
    { numRuns: 1_000 },
  );
});

function catchError(work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    return error as Error;
  }
  throw new Error('it was accepted');
}

function messageOf(work: () => unknown): string {
  try {
    work();
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}
