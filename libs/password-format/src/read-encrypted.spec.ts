import { readFileSync } from 'node:fs';
import { decryptPassword } from './decrypt-password.js';
import type { DecryptionError } from './password-errors.js';
import { PasswordKey } from './password-key.js';
import { bareValue } from './read-encrypted.js';

const HEADER_LINE =
  'not an encrypted password: encpwd makes five parts between dots, of which the first begins with eyJ';
const CHANGED =
  'the encrypted password was changed: copy it again from where it was made, or encrypt the password anew';
const REFUSED = 'the encrypted password is refused:';

/** What the operator reads for each of the published vectors. */
const LINES: Readonly<Record<string, string>> = {
  empty: 'there is no encrypted password: the value is empty',
  'white space alone': 'there is no encrypted password: the value is empty',
  'no JWE': HEADER_LINE,
  'half a header': 'cut off: it has 1 of 5 parts; copy all of it again',
  'three parts': 'cut off: it has 3 of 5 parts; copy all of it again',
  'four parts': 'cut off: it has 4 of 5 parts; copy all of it again',
  'six parts': 'more than one encrypted password: it has 6 parts in place of 5',
  'two of them': '2 encrypted passwords: give one at a time',
  'a line break within': 'not one encrypted password: it has white space within; copy it as one line',
  'a line of YAML': 'more than an encrypted password: give what stands between the quotes after !encpwd',
  'a comma after it':
    'not an encrypted password alone: it has characters that none has; give it without what stands around it',
  'a header that is no JSON': HEADER_LINE,
  'a header that is a JSON array': HEADER_LINE,
  'an encrypted key, which dir has not':
    'damaged: its second part is not empty, as it must be where "alg" is dir',
  'a short vector': 'damaged: its third part has 15 characters in place of 16; copy all of it again',
  'nothing encrypted': 'damaged: its fourth part is missing, which is the password; copy all of it again',
  'a cut tag': 'cut off: its last part has 16 of 22 characters; copy all of it again',
  'a tag without its last character': 'cut off: its last part has 21 of 22 characters; copy all of it again',
  'a tag that goes on': 'more than an encrypted password: its last part has 23 characters in place of 22',
  'alg A256KW': `${REFUSED} its "alg" is not dir`,
  'enc A256CBC-HS512': `${REFUSED} its "enc" is none of A128GCM, A192GCM, A256GCM`,
  'enc of another size than the key': `${REFUSED} its "enc" is not that of the key pzwMzU2vyWY`,
  zip: `${REFUSED} it is compressed ("zip")`,
  crit: `${REFUSED} it has critical extensions ("crit")`,
  'a kid that is a number': `${REFUSED} its "kid" is not a string`,
  'the kid of another key':
    'made with the key AAAAAAAAAAA, which is not here; give the key file that it was made with',
  'a changed header': CHANGED,
  'a changed ciphertext': CHANGED,
  'a changed vector': CHANGED,
  'a changed tag': CHANGED,
  'no kid, and another key': CHANGED.replace('changed:', 'changed, or was made with another key:'),
  'what is encrypted is no UTF-8': 'what is encrypted is not UTF-8 text; encrypt the password anew',
};

interface RefusedVector {
  readonly name: string;
  readonly key_hex: string;
  readonly encrypted: string;
}

test('every refused vector has its line, with what to do', async () => {
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

test('wherever a value is cut, the line says so', async () => {
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
