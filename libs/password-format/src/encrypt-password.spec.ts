import { inspect } from 'node:util';
import { decryptPassword, keyIdsOf } from './decrypt-password.js';
import { decodePassword, encryptPassword, MAX_PASSWORD_BYTES } from './encrypt-password.js';
import { PasswordKey } from './password-key.js';

const keyOf = (size: number, seed: number) => new PasswordKey(Buffer.alloc(size, `key ${seed}`));
const key = keyOf(32, 1);
const other = keyOf(32, 2);
const small = keyOf(16, 3);

const TOO_LONG = 'the password is longer than 65536 bytes';

test.each([
  ['one character', 'x'],
  ['a line break at the end', 'secret\n'],
  ['a byte order mark at the start', '\ufeffsecret'],
  ['the longest password', 'é'.repeat(MAX_PASSWORD_BYTES / 2)],
])('%s round-trips', async (_case, password) => {
  expect(await decryptPassword(await encryptPassword(password, key), [key])).toBe(password);
});

test('two encryptions of one password differ', async () => {
  expect(await encryptPassword('secret', key)).not.toBe(await encryptPassword('secret', key));
});

test.each([
  ['an empty password', '', 'empty', 'the password is empty'],
  ['64 KiB and a byte', 'x'.repeat(MAX_PASSWORD_BYTES + 1), 'too_long', TOO_LONG],
  ['64 KiB and a byte in fewer characters', 'é'.repeat(MAX_PASSWORD_BYTES / 2) + 'x', 'too_long', TOO_LONG],
  ['half a surrogate pair', 'secret\ud83d', 'not_text', 'the password is not well-formed Unicode text'],
])('%s is refused', async (_case, password, code, message) => {
  const refusal = { name: 'InvalidPasswordError', code, message };
  await expect(encryptPassword(password, key)).rejects.toMatchObject(refusal);
});

test.each([
  ['no bytes', Buffer.alloc(0), 'empty', 'the password is empty'],
  ['a line break alone', Buffer.from('\r\n'), 'empty', 'the password is empty'],
  ['a byte order mark alone', Buffer.from('\ufeff\n'), 'empty', 'the password is empty'],
  ['64 KiB and a byte', Buffer.alloc(MAX_PASSWORD_BYTES + 1), 'too_long', TOO_LONG],
  ['Latin-1', Buffer.from('m\u00fcller', 'latin1'), 'not_text', 'the password is not UTF-8 text'],
])('%s are not a password', (_case, bytes, code, message) => {
  expect(() => decodePassword(bytes)).toThrow(expect.objectContaining({ code, message }) as Error);
});

test.each([
  ['\ufeffmüller', 'müller'],
  ['müller\n', 'müller'],
  ['müller\r\n', 'müller'],
  ['müller\n\n', 'müller\n'],
  ['müller\r', 'müller\r'],
  [' \tmüller\n ', ' \tmüller\n '],
])(
  'of the bytes of %j only a byte order mark and one line break at the end are dropped',
  (text, password) => {
    expect(decodePassword(Buffer.from(text))).toBe(password);
  },
);

test('the longest password may be followed by a line break', () => {
  expect(decodePassword(Buffer.from(`${'x'.repeat(MAX_PASSWORD_BYTES)}\r\n`))).toHaveLength(
    MAX_PASSWORD_BYTES,
  );
  expect(() => decodePassword(Buffer.from(`${'x'.repeat(MAX_PASSWORD_BYTES)}\n\n`))).toThrow(TOO_LONG);
});

test.each([
  ['zeros', 0, 16],
  ['one byte repeated', 0xab, 24],
  ['one letter repeated', 0x61, 32],
])('a key of %s encrypts nothing, and still decrypts', async (_case, byte, size) => {
  const constant = new PasswordKey(Buffer.alloc(size, byte));
  await expect(encryptPassword('secret', constant)).rejects.toMatchObject({
    name: 'InvalidKeyError',
    code: 'constant',
    message: `key ${constant.kid} is one byte repeated, which is easily guessed; generate a new one with "svccmd keygen"`,
  });
  expect(await decryptPassword(await withoutKid(constant), [constant])).toBe('secret');
});

test('any of the keys decrypts', async () => {
  expect(await decryptPassword(await encryptPassword('secret', other), [key, other])).toBe('secret');
});

test('without a kid every key of the size is tried', async () => {
  const encrypted = await withoutKid(other);
  expect(await decryptPassword(encrypted, [key, small, other])).toBe('secret');
  await expect(decryptPassword(encrypted, [small])).rejects.toMatchObject({ code: 'unknown_key' });
});

test('the key id is readable without the key', async () => {
  expect(keyIdsOf(await encryptPassword('secret', key))).toEqual([key.kid]);
});

test('a value longer than any password is rejected unread', async () => {
  const huge = `${await encryptPassword('secret', key)}${'A'.repeat(100_000)}`;
  await expect(decryptPassword(huge, [key])).rejects.toMatchObject({ code: 'malformed' });
});

test('a key’s bytes cannot be logged', () => {
  const bytes = Buffer.from('an AES key of exactly 32 bytes!!');
  const shown = `${inspect(new PasswordKey(bytes), { depth: 9 })}${JSON.stringify(new PasswordKey(bytes))}`;
  expect(shown).not.toContain('AES key');
  expect(shown).not.toContain(bytes.toString('base64'));
});

async function withoutKid(withKey: PasswordKey): Promise<string> {
  const { CompactEncrypt } = await import('jose/jwe/compact/encrypt');
  return new CompactEncrypt(Buffer.from('secret'))
    .setProtectedHeader({ alg: 'dir', enc: withKey.enc })
    .encrypt(withKey.bytes());
}
