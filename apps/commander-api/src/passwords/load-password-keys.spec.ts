import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PasswordKey } from '@svc/password-format';
import { loadKeyFile, loadPasswordKeys } from './load-password-keys.js';

const hex = 'ab'.repeat(32);
const kid = new PasswordKey(Buffer.from(hex, 'hex')).kid;
const noWarning = (line: string): never => {
  throw new Error(line);
};

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-keys-'));
  file = join(folder, 'password.key');
  writeFileSync(file, `${hex}\n`, { mode: 0o600 });
});

afterEach(() => rmSync(folder, { recursive: true }));

test('a key file is loaded', async () => {
  expect((await loadPasswordKeys(file, noWarning))[0].kid).toBe(kid);
});

test.each([
  ['hex', `hex:${hex}`],
  ['base64', `base64:${Buffer.from(hex, 'hex').toString('base64')}`],
])('a key in the configuration is loaded: %s', async (_form, setting) => {
  expect((await loadPasswordKeys(setting, noWarning))[0].kid).toBe(kid);
});

test('a prefix says how to read a file', async () => {
  const digits = '00112233445566778899aabbccddeeff';
  writeFileSync(file, digits);
  await expect(loadPasswordKeys(file, noWarning)).rejects.toThrow(/hex of 16 bytes or base64 of 24 bytes/);
  expect((await loadPasswordKeys(`hex:${file}`, noWarning))[0].enc).toBe('A128GCM');
  expect((await loadPasswordKeys(`base64:${file}`, noWarning))[0].enc).toBe('A192GCM');
  expect((await loadPasswordKeys(`raw:${file}`, noWarning))[0].enc).toBe('A256GCM');
});

test('a file that everyone reads is warned about, one for a group is not', async () => {
  const warnings: string[] = [];
  chmodSync(file, 0o640);
  await loadKeyFile(file, (line) => warnings.push(line));
  expect(warnings).toEqual([]);
  chmodSync(file, 0o604);
  await loadKeyFile(file, (line) => warnings.push(line));
  expect(warnings).toEqual([`warning: ${file} can be read by every user of this machine; chmod 600 it`]);
});

test.each([
  ['no key configured', () => undefined, /no key is configured; set pwdencryptor\.key/],
  [
    'a missing file',
    () => join(folder, 'nope'),
    /nope: there is no such key file; make one with "svccmd keygen"/,
  ],
  ['a folder', () => folder, /cannot be read \(EISDIR\)/],
  ['no name', () => 'hex:', /no name/],
])('%s is an error of the configuration', async (_case, setting, message) => {
  await expect(loadPasswordKeys(setting(), noWarning)).rejects.toMatchObject({
    exitCode: 3,
    message: expect.stringMatching(message) as string,
  });
});

test('a wrong size is told with the sizes, and nothing of the key', async () => {
  writeFileSync(file, 'secretsecretsecret');
  const error = await loadPasswordKeys(file, noWarning).catch((reason: Error) => reason);
  expect((error as Error).message).toMatch(/18 bytes as raw; a key has 16, 24 or 32 bytes/);
  expect((error as Error).message).not.toContain('secret');
});

test.each([
  ['hex', hex],
  ['base64', Buffer.from(hex, 'hex').toString('base64')],
])('a key put where a path belongs is not shown: %s', async (_form, key) => {
  const error = await loadPasswordKeys(join(folder, key.replaceAll('/', '_')), noWarning).catch(
    (reason: Error) => reason,
  );
  expect((error as Error).message).toMatch(/write hex: or base64: before it/);
  expect((error as Error).message).not.toContain(key.slice(0, 10));
});

test('a setting that is a key and the name of a file is refused', async () => {
  const name = 'A'.repeat(22);
  mkdirSync(join(folder, name));
  const here = process.cwd();
  process.chdir(folder);
  try {
    await expect(loadPasswordKeys(`base64:${name}`, noWarning)).rejects.toThrow(/write base64:\.\/<file>/);
  } finally {
    process.chdir(here);
  }
});
