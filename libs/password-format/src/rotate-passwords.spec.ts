import fc from 'fast-check';
import { parse } from 'yaml';
import { decryptPassword, keyIdsOf } from './decrypt-password.js';
import { decryptPasswords, encpwdTag, EncryptedPassword } from './encpwd-tag.js';
import type { DocumentFormat } from './documents/read-document.js';
import { encryptPassword } from './encrypt-password.js';
import { PasswordKey, type PasswordKeys } from './password-key.js';
import { encryptMarked, rotatePasswords } from './rotate-passwords.js';

const fresh = new PasswordKey(Buffer.alloc(32, 'fresh'));
const old = new PasswordKey(Buffer.alloc(16, 'old'));
const keys: PasswordKeys = [fresh, old];
const encrypted = await encryptPassword('hunter2', old);

/** Rotates a text, checks each new value, and replaces it by `NEW`. */
async function rotated(text: string): Promise<string> {
  const rotation = await rotatePasswords(text, keys);
  expect(rotation.errors).toEqual([]);
  const values = rotation.text.match(/eyJ[\w.-]+/g) ?? [];
  expect(values).toHaveLength(rotation.rotated);
  for (const value of values) {
    expect(keyIdsOf(value)).toEqual([fresh.kid]);
    expect(await decryptPassword(value, keys)).toBe('hunter2');
  }
  return rotation.text.replace(/eyJ[\w.-]+/g, 'NEW');
}

test.each([
  ['double quotes', `a: !encpwd "${encrypted}" # why\n`],
  ['single quotes', `a: !encpwd '${encrypted}'\n`],
  ['no quotes', `a:   !encpwd   ${encrypted}   \n`],
  ['the verbatim tag', `a: !<!encpwd> "${encrypted}"\n`],
  ['a folded block', `a: !encpwd >-\n  ${encrypted}\nb: 1\n`],
  ['a literal block at the end', `a: !encpwd |\n  ${encrypted}`],
  ['a block with a comment and Windows line ends', `a: !encpwd | # why\r\n    ${encrypted}\r\nb: 1\r\n`],
  ['white space within the quotes', `a: !encpwd " ${encrypted} "\n`],
  ['a flow mapping', `{a: !encpwd "${encrypted}", b: [ !encpwd ${encrypted} ]}`],
  ['an anchor and its alias', `a: &x !encpwd "${encrypted}"\nb: *x\n`],
  ['several documents', `a: !encpwd ${encrypted}\n---\nb: !encpwd ${encrypted}\n...\n`],
  ['a byte order mark and CRLF', `\ufeffa: 1\r\nb: !encpwd "${encrypted}"\r\n\r\nc: 2`],
  ['tags of others', `a: !EVENT {b: !ANY x}\nc: !encpwd "${encrypted}"\n`],
  ['a key twice', `a: 1\na: !encpwd "${encrypted}"\n`],
])('%s: only the value changes, quotes and blocks stay', async (_case, before) => {
  expect(await rotated(before)).toBe(before.replaceAll(encrypted, 'NEW'));
});

test.each<[DocumentFormat, string, string]>([
  ['json', String.raw`{"a": "!encpwd  \"${encrypted}\" "}`, '{"a": "!encpwd NEW"}'],
  ['ini', `a = "!encpwd   ${encrypted}"\n`, 'a = "!encpwd NEW"\n'],
  ['properties', `a=!encpwd '${encrypted}'\n`, 'a=!encpwd NEW\n'],
])('%s: white space and quotes between the mark and the value go', async (format, before, after) => {
  const { text } = await rotatePasswords(before, keys, { format });
  expect(text.replace(/eyJ[\w.-]+/g, 'NEW')).toBe(after);
});

test('a value written with escapes is replaced by one without', async () => {
  const spelled = encrypted.replace('e', '\\x65').replace('..', '.\\\n    .');
  expect(await rotated(`a: !encpwd "${spelled}" # why\n`)).toBe('a: !encpwd "NEW" # why\n');
});

test('a block comment that repeats the value is kept, and the value is rotated', async () => {
  const { text, rotated: count } = await rotatePasswords(
    `a: !encpwd | # was ${encrypted}\n  ${encrypted}\n`,
    keys,
  );
  expect(count).toBe(1);
  expect(text.startsWith(`a: !encpwd | # was ${encrypted}\n  eyJ`)).toBe(true);
  const value = String((parse(text, { logLevel: 'silent' }) as { a: unknown }).a).trim();
  expect(keyIdsOf(value)).toEqual([fresh.kid]);
});

test('a rotation to a key of one repeated byte is rejected', async () => {
  const constant = new PasswordKey(Buffer.alloc(32));
  await expect(rotatePasswords(`a: !encpwd ${encrypted}\n`, [constant, old])).rejects.toMatchObject({
    name: 'InvalidKeyError',
    code: 'constant',
  });
});

describe('a mark that marks no value', () => {
  const plain = 'would stay in plain text';

  test.each<[string, DocumentFormat, string, number]>([
    ["a value in single quotes with '' in it", 'ini', "[db]\npassword = '!encpwd-plain it''s'\n", 2],
    ['a key', 'yaml', 'a: 1\n? !encpwd-plain hunter2\n: 2\n', 2],
    ['a key without ?', 'yaml', '!encpwd-plain hunter2: 2\n', 1],
    ['a tag of another prefix', 'yaml', '%TAG ! tag:example.com,2026:\n---\na: !encpwd-plain hunter2\n', 3],
    ['a mark in quotes', 'yaml', 'a: "!encpwd-plain hunter2"\n', 1],
    ['a document in a value', 'yaml', 'a: |\n  password: !encpwd-plain hunter2\n', 2],
    ['a continued line', 'ini', 'a =\n  !encpwd-plain hunter2\n', 2],
    ['a key of JSON', 'json', '{"a": 1,\n "!encpwd-plain hunter2": 1}', 2],
  ])('%s is an error, and nothing is encrypted', async (_case, format, text, line) => {
    const before = format === 'yaml' ? `${text}...\n---\nb: !encpwd-plain x\n` : text;
    expect(await encryptMarked(before, fresh, format)).toEqual({
      ...{ text: before, count: 0 },
      errors: [{ line, message: expect.stringContaining(plain) as string }],
    });
  });

  test.each<[DocumentFormat, string]>([
    ['yaml', `a: "!encpwd ${encrypted}"\n`],
    ['yaml', `a: |\n  password: !encpwd "${encrypted}"\n`],
    ['ini', `a =\n  !encpwd ${encrypted}\n`],
  ])('is an error of a rotation, too: %s %j', async (format, text) => {
    const { text: after, errors } = await rotatePasswords(text, keys, { format });
    expect([after, errors.map(({ message }) => message)]).toEqual([
      text,
      [expect.stringContaining('would keep its key')],
    ]);
  });

  test('long lines and many marks take no longer than their length', async () => {
    const values = Array.from({ length: 5_000 }, (_, n) => `"a${n}": "!encpwd-plain x"`).join(',');
    const anchors = `b = !encpwd-plain ${'&'.repeat(10_000)} x`;
    const started = performance.now();
    expect((await encryptMarked(`{${values}, "!encpwd-plain x": 1}`, fresh, 'json')).errors).toHaveLength(1);
    expect((await encryptMarked(`a: "${anchors}"\nb: !encpwd-plain x\n`, fresh)).errors).toHaveLength(1);
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  test.each<[DocumentFormat, string]>([
    [
      'yaml',
      '# a: !encpwd-plain x\na: &b !encpwd-plain x # b: !encpwd-plain x\nc: Mark it with !encpwd-plain first.\n',
    ],
    ['yaml', 'a: !encpwd-plain &b # why\n  x\nc: [!encpwd-plain x, !encpwd-plain  "!encpwd-plain y"]\n'],
    ['yaml', 'a: !encpwd-plain\n  x\nb: !encpwd-plain >-\n  x\n'],
    [
      'ini',
      '; a = !encpwd-plain x\na = !encpwd-plain x ; b = !encpwd-plain x\nc: "!encpwd-plain x"\r\n# !encpwd-plain x\n',
    ],
    ['properties', '! a = !encpwd-plain x\na !encpwd-plain x\n'],
    ['json', '{"a": "!encpwd-plain x", "b": "see !encpwd-plain x"}'],
  ])('in %s, comments and texts may name it: %j', async (format, text) => {
    const { count, errors } = await encryptMarked(text, fresh, format);
    expect(errors).toEqual([]);
    expect(count).toBeGreaterThan(0);
  });
});

test('a text without passwords is unchanged', async () => {
  const text = '# !encpwd "x"\na: "!encpwd y"   # odd   spacing\n\n';
  expect(await rotatePasswords(text, keys)).toMatchObject({ text, rotated: 0, errors: [] });
});

test('every value that cannot be decrypted is reported with its line', async () => {
  const foreign = await encryptPassword('hunter2', new PasswordKey(Buffer.alloc(32, 'foreign')));
  const { errors } = await rotatePasswords(
    `a: !encpwd nonsense\nb: !encpwd "${encrypted}"\nc: !encpwd "${foreign}"\n`,
    keys,
  );
  expect(errors.map(({ line }) => line)).toEqual([1, 3]);
  expect(errors.map(({ message }) => message).join()).not.toContain('nonsense');
});

test('the tag on a map or list is reported with its line, among other errors', async () => {
  const text = `a: !encpwd {b: "${encrypted}"}\nc: !encpwd\nd: !encpwd\n  - "${encrypted}"\ne: !encpwd "${encrypted}"\n`;
  expect(await rotatePasswords(text, keys)).toMatchObject({
    text,
    rotated: 0,
    errors: [
      { line: 1, message: '!encpwd is on a map or list; it must tag a single encrypted password' },
      { line: 2, message: 'there is no encrypted password: the value is empty' },
      { line: 4, message: '!encpwd is on a map or list; it must tag a single encrypted password' },
    ],
  });
});

test('invalid YAML is reported with its line', async () => {
  const { errors, text } = await rotatePasswords('a: 1\nb: [\n', keys);
  expect(errors[0]).toMatchObject({
    line: expect.any(Number) as number,
    message: expect.stringMatching(/not valid YAML/) as string,
  });
  expect(text).toBe('a: 1\nb: [\n');
});

test('endless brackets are rejected before they are parsed', async () => {
  const text = `a: 1\n${'['.repeat(20_000)}`;
  expect(await rotatePasswords(text, keys)).toMatchObject({
    text,
    rotated: 0,
    errors: [{ line: 2, message: 'nested more than 200 levels deep' }],
  });
});

test.each([2, 300])('%d lines that hold a mapping in a mapping are reported alike', async (lines) => {
  const { errors } = await rotatePasswords('k: v: 1\n'.repeat(lines), keys);
  const message = 'not valid YAML (BLOCK_AS_IMPLICIT_KEY)';
  expect(errors.slice(0, 2)).toEqual([
    { line: 1, message },
    { line: 2, message },
  ]);
});

test('for any surrounding text, a rotation changes only the passwords or reports why not', async () => {
  const around = fc.string({ unit: fc.constantFrom(...'a:1 \n-[]{}"\'&*!|>#,?%~\t\r') });
  await fc.assert(
    fc.asyncProperty(around, around, async (before, after) => {
      const given = `${before}!encpwd "${encrypted}"${after}`;
      const { text, rotated, errors } = await rotatePasswords(given, keys);
      expect(errors.map(({ message }) => message).join()).not.toContain('hunter2');
      if (errors.length > 0) return;
      const values = /!encpwd "[\w.-]+"/g;
      expect(text.replace(values, '…')).toBe(given.replace(values, '…'));
      if (rotated === 0) expect(text).toBe(given);
    }),
    { numRuns: 300 },
  );
});

test('a value that aliases repeat is rotated once, with them', async () => {
  const rotation = await rotatePasswords(`a: &p !encpwd "${encrypted}"\nb: *p\n`, keys);
  expect(rotation).toMatchObject({ rotated: 1, errors: [] });
  expect(rotation.text).toMatch(/^a: &p !encpwd "eyJ[\w.-]+"\nb: \*p\n$/);
});

describe('the tag for the yaml package', () => {
  const options = { customTags: [encpwdTag] };

  test('parses encrypted passwords, which decryptPasswords decrypts at any depth', async () => {
    const value: unknown = parse(`db: {users: [{password: !encpwd "${encrypted}"}, plain]}\nn: 1`, options);
    expect(value).toEqual({ db: { users: [{ password: new EncryptedPassword(encrypted) }, 'plain'] }, n: 1 });
    expect(await decryptPasswords(value, keys)).toEqual({
      db: { users: [{ password: 'hunter2' }, 'plain'] },
      n: 1,
    });
  });

  test('a password that is bound to a place is decrypted only there', async () => {
    const bound = await encryptPassword('hunter2', old, 'db.yaml/users.0.password');
    const here: unknown = parse(`users: [{password: !encpwd "${bound}"}]`, options);
    const elsewhere: unknown = parse(`admins: [{password: !encpwd "${bound}"}]`, options);
    expect(await decryptPasswords(here, keys, 'conf/db.yaml')).toEqual({ users: [{ password: 'hunter2' }] });
    for (const [value, file] of [
      [here, 'other.yaml'],
      [here, undefined],
      [elsewhere, 'conf/db.yaml'],
    ] as const)
      await expect(decryptPasswords(value, keys, file)).rejects.toMatchObject({ code: 'misplaced' });
  });

  test('writes it back with the tag', async () => {
    const { stringify } = await import('yaml');
    expect(stringify({ password: new EncryptedPassword(encrypted) }, options)).toBe(
      `password: !encpwd "${encrypted}"\n`,
    );
  });

  test('its JSON form is the encrypted text', () => {
    expect(JSON.stringify({ a: new EncryptedPassword(encrypted) })).toBe(JSON.stringify({ a: encrypted }));
  });
});
