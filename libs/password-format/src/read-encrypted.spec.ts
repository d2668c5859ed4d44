import { readFileSync } from 'node:fs';
import { decryptPassword } from './decrypt-password.js';
import type { DecryptionError } from './password-errors.js';
import { PasswordKey } from './password-key.js';
import { bareValue } from './read-encrypted.js';

const HEADER_LINE =
  'not an encrypted password: expected five parts separated by dots, the first starting with eyJ';
const MODIFIED =
  'the encrypted password was modified: copy it again from its source, or encrypt the password again';
const REJECTED = 'the encrypted password is rejected:';

/** The message for each of the published vectors. */
const LINES: Readonly<Record<string, string>> = {
  empty: 'there is no encrypted password: the value is empty',
  'white space alone': 'there is no encrypted password: the value is empty',
  'no JWE': HEADER_LINE,
  'half a header': 'cut off: it has 1 of 5 parts; copy all of it again',
  'three parts': 'cut off: it has 3 of 5 parts; copy all of it again',
  'four parts': 'cut off: it has 4 of 5 parts; copy all of it again',
  'six parts': 'more than one encrypted password: it has 6 parts instead of 5',
  'two of them': '2 encrypted passwords: pass one at a time',
  'a line break within': 'not one encrypted password: it contains white space; copy it as one line',
  'a line of YAML': 'more than an encrypted password: pass only the text between the quotes after !encpwd',
  'a comma after it':
    'not just an encrypted password: it has characters that are never part of one; pass it without the surrounding text',
  'a header that is no JSON': HEADER_LINE,
  'a header that is a JSON array': HEADER_LINE,
  'an encrypted key, which dir has not':
    'damaged: its second part is not empty, as it must be where "alg" is dir',
  'a short vector': 'damaged: its third part has 15 characters instead of 16; copy all of it again',
  'nothing encrypted': 'damaged: its fourth part, the password, is missing; copy all of it again',
  'a cut tag': 'cut off: its last part has 16 of 22 characters; copy all of it again',
  'a tag without its last character': 'cut off: its last part has 21 of 22 characters; copy all of it again',
  'a tag that goes on': 'more than an encrypted password: its last part has 23 characters instead of 22',
  'alg A256KW': `${REJECTED} its "alg" is neither dir nor ECDH-ES+A256KW`,
  'enc A256CBC-HS512': `${REJECTED} its "enc" is not one of A128GCM, A192GCM, A256GCM`,
  'enc of another size than the key': `${REJECTED} its "enc" does not match key pzwMzU2vyWY`,
  zip: `${REJECTED} it is compressed ("zip")`,
  crit: `${REJECTED} it has critical extensions ("crit")`,
  'a kid that is a number': `${REJECTED} its "kid" is not a string`,
  'the kid of another key':
    'encrypted with key AAAAAAAAAAA, which is not among the keys given; pass the key file it was encrypted with',
  'a changed header': MODIFIED,
  'a changed ciphertext': MODIFIED,
  'a changed vector': MODIFIED,
  'a changed tag': MODIFIED,
  'no kid, and another key': MODIFIED.replace('modified:', 'modified, or encrypted with another key:'),
  'bound by a header that is not protected': `${REJECTED} its "alg" is dir, which has no recipients`,
  'what is encrypted is no UTF-8': 'the decrypted text is not UTF-8; encrypt the password again',
};

interface RefusedVector {
  readonly name: string;
  readonly key_hex: string;
  readonly encrypted: string;
}

test('every rejected vector has its message, with the remedy', async () => {
  const vectors = JSON.parse(
    readFileSync(new URL('../test-vectors/refused.json', import.meta.url), 'utf8'),
  ) as RefusedVector[];
  const lines = await Promise.all(
    vectors.map(async ({ name, key_hex, encrypted }) => {
      const key = new PasswordKey(Buffer.from(key_hex, 'hex'));
      const error = await decryptPassword(encrypted, [key]).catch((reason: unknown) => reason);
      return [name, (error as DecryptionError).message] as const;
    }),
  );
  expect(Object.fromEntries(lines)).toEqual(LINES);
});

test('a value cut off anywhere is reported as such', async () => {
  const key = new PasswordKey(Buffer.alloc(32, 'key'));
  const { encryptPassword } = await import('./encrypt-password.js');
  const encrypted = await encryptPassword('hunter2', key);
  for (let length = 3; length < encrypted.length; length += 1) {
    await expect(decryptPassword(encrypted.slice(0, length), [key])).rejects.toThrow(
      /^(cut off: it(s last part)? has \d+ of|damaged: its (third|fourth) part)/,
    );
  }
});

test.each([
  ['!encpwd "x"\n', 'x'],
  ["  !encpwd   'x'", 'x'],
  ['"x"', 'x'],
  ['x', 'x'],
  ['"x', '"x'],
])('%j is shown bare as %j', (text, value) => {
  expect(bareValue(text)).toBe(value);
});
