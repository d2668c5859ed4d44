import { generateKeyPairSync } from 'node:crypto';
import { checkEncrypted } from './check-encrypted.js';
import { encryptPassword, type EncryptionTarget } from './encrypt-password.js';
import { PasswordKey } from './password-key.js';
import { KeyPair } from './sealing-keys.js';

const [current, old, foreign] = ['current', 'old', 'foreign'].map(
  (seed) => new PasswordKey(Buffer.alloc(32, seed)),
);
const [ours, theirs, gone] = Array.from(
  { length: 3 },
  () => new KeyPair(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey),
);
const keys = [current!, old!] as const;

const yaml = async (target: EncryptionTarget, place?: string) =>
  `a:\n  password: !encpwd '${await encryptPassword('hunter2', target, place)}'\n`;
const codes = async (text: string, rules: Parameters<typeof checkEncrypted>[2]) =>
  (await checkEncrypted(text, 'yaml', rules)).map(({ line, code, severity }) => [line, code, severity]);

test('a password of the current key is right; of an older one it should be rotated; of another it is unreadable', async () => {
  expect(await codes(await yaml(current!), { keys, recipients: [] })).toEqual([]);
  expect(await codes(await yaml(old!), { keys, recipients: [] })).toEqual([[2, 'old-key', 'warning']]);
  expect(await codes(await yaml(foreign!), { keys, recipients: [] })).toEqual([[2, 'unreadable', 'error']]);
  expect(await codes(await yaml(foreign!), { recipients: [] })).toEqual([]);
  expect(await codes('a: !encpwd nonsense\n', { recipients: [] })).toEqual([[1, 'unreadable', 'error']]);
});

test('a sealed password must be sealed to exactly the recipients', async () => {
  const recipients = [ours!.kid, theirs!.kid];
  const both = await yaml([ours!.recipient, theirs!.recipient]);
  for (const own of [keys, [theirs!] as const, undefined])
    expect(await codes(both, { keys: own, recipients })).toEqual([]);
  expect(await codes(await yaml(theirs!), { keys, recipients })).toEqual([[2, 'recipients', 'error']]);
  const leaked = await yaml([ours!.recipient, theirs!.recipient, gone!.recipient]);
  const [problem] = await checkEncrypted(leaked, 'yaml', { keys, recipients });
  expect(problem).toMatchObject({
    code: 'recipients',
    message: expect.stringContaining(`sealed to key ${gone!.kid}, which is not a recipient`) as string,
  });
  expect(await codes(await yaml(current!), { keys, recipients })).toEqual([[2, 'old-key', 'warning']]);
  expect(await codes(await yaml(gone!), { keys, recipients: [] })).toEqual([[2, 'unreadable', 'error']]);
});

test('a damaged value is unreadable although it is sealed to a recipient', async () => {
  const text = (await yaml(ours!)).replace(/.'\n$/, "'\n");
  expect(await codes(text, { recipients: [ours!.kid] })).toEqual([[2, 'unreadable', 'error']]);
});

test.each([
  ['db.yaml/a.password', 'conf/db.yaml', []],
  ['conf/db.yaml/a.password', 'conf/db.yaml', []],
  ['b.yaml/a.password', 'conf/db.yaml', ['misplaced']],
  ['db.yaml/password', 'conf/db.yaml', ['misplaced']],
  ['db.yaml/a.password', undefined, []],
])('bound to %s, in %s', async (place, file, expected) => {
  const text = await yaml(current!, place);
  const problems = await checkEncrypted(text, 'yaml', { keys, recipients: [], ...(file && { file }) });
  expect(problems.map(({ code }) => code)).toEqual(expected);
});

test.each<[string, 'yaml' | 'json', (encrypted: string) => string]>([
  ['the break at the end of a block', 'yaml', (encrypted) => `a: !encpwd |\n  ${encrypted}\n`],
  ['spaces in quotes', 'yaml', (encrypted) => `a: !encpwd " ${encrypted}"\n`],
  ['spaces in JSON', 'json', (encrypted) => `{"a": "!encpwd  ${encrypted} "}`],
])('%s is white space that other readers refuse', async (_case, format, write) => {
  const text = write(await encryptPassword('hunter2', current!));
  expect(await checkEncrypted(text, format, { keys, recipients: [] })).toMatchObject([
    { line: 1, code: 'white-space', severity: 'warning' },
  ]);
});

test('a text that cannot be parsed is a problem only if it has encrypted passwords', async () => {
  expect(await codes('a: [', { keys, recipients: [] })).toEqual([]);
  expect(await codes('a: !encpwd x\nb: [', { keys, recipients: [] })).toEqual([
    [expect.any(Number), 'unreadable', 'error'],
  ]);
});
