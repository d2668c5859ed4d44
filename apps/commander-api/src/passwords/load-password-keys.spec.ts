import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PasswordKey } from '@svc/password-format';
import { assertEncrypts, loadKeyFile, loadPasswordKeys } from './load-password-keys.js';

const hex = '0f1e2d3c'.repeat(8);
const kid = new PasswordKey(Buffer.from(hex, 'hex')).kid;
const noWarning = (line: string): never => {
  throw new Error(line);
};
const load = (key: string) => loadPasswordKeys({ key, keyOrigin: 'svccmd.conf:8' }, noWarning);

/** The line that a setting draws. */
async function lineOf(key: string): Promise<string> {
  const error = await load(key).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ name: 'CommanderError', exitCode: 3 });
  return (error as Error).message;
}

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-keys-'));
  file = join(folder, 'password.key');
  writeFileSync(file, `${hex}\n`, { mode: 0o600 });
});

afterEach(() => rmSync(folder, { recursive: true }));

test('a key file is loaded', async () => {
  expect((await load(file))[0].kid).toBe(kid);
});

test.each([
  ['hex', `hex:${hex}`],
  ['hex with spaces', `hex:${'0f1e 2d3c '.repeat(8)}`],
  ['base64', `base64:${Buffer.from(hex, 'hex').toString('base64')}`],
])('a key in the configuration is loaded: %s', async (_form, setting) => {
  expect((await load(setting))[0].kid).toBe(kid);
});

test('a prefix determines how a file is read', async () => {
  const digits = '00112233445566778899aabbccddeeff';
  writeFileSync(file, digits);
  await expect(load(file)).rejects.toThrow(/hex of 16 bytes or base64 of 24 bytes/);
  expect((await load(`hex:${file}`))[0].enc).toBe('A128GCM');
  expect((await load(`base64:${file}`))[0].enc).toBe('A192GCM');
  expect((await load(`raw:${file}`))[0].enc).toBe('A256GCM');
});

describe('a pipe', () => {
  const through = async (script: string, read: () => Promise<unknown>): Promise<unknown> => {
    rmSync(file);
    execFileSync('mkfifo', ['-m', '600', file]);
    const writer = spawn('sh', ['-c', `{ ${script}; } > ${file}`]);
    const ended = once(writer, 'close');
    const result = await read();
    await ended;
    return result;
  };

  test('delivers a key in pieces, all of which count', async () => {
    const halves = `printf ${hex.slice(0, 32)}; sleep 0.2; printf ${hex.slice(32)}`;
    expect(await through(halves, async () => (await load(file))[0].kid)).toBe(kid);
  });

  test('that closes without a key is reported as such', async () => {
    expect(await through(':', () => lineOf(file))).toBe(
      `${file}: the pipe was closed before it delivered a key`,
    );
  });
});

test('a world-readable file causes a warning, a group-readable one does not', async () => {
  const warnings: string[] = [];
  chmodSync(file, 0o640);
  await loadKeyFile(file, '--key-file', (line) => warnings.push(line));
  expect(warnings).toEqual([]);
  chmodSync(file, 0o604);
  await loadKeyFile(file, '--key-file', (line) => warnings.push(line));
  expect(warnings).toEqual([
    `warning: ${file} is readable by every user of this machine; run chmod 600 on it`,
  ]);
});

test('a key of one repeated byte is accepted for decryption, with a warning, and rejected for encryption', async () => {
  const warnings: string[] = [];
  writeFileSync(file, '00'.repeat(32));
  const keys = await loadKeyFile(`hex:${file}`, '--key-file', (line) => warnings.push(line));
  expect(warnings).toEqual([
    `warning: ${file}: key ${keys[0].kid} is one byte repeated and protects nothing; rotate to a new one`,
  ]);
  expect(() => assertEncrypts(keys)).toThrow(
    expect.objectContaining({ name: 'CommanderError', exitCode: 3 }),
  );
});

test('errors in the file are reported with their place', async () => {
  const at = 'pwdencryptor.key (svccmd.conf:8)';
  const missing = join(folder, 'nope.key');
  expect(await lineOf(missing)).toBe(
    `${at}: ${missing}: key file not found; create one with "svccmd keygen"`,
  );
  expect(await lineOf(folder)).toBe(`${at}: ${folder}: the key file cannot be read: it is a folder`);
  expect(await lineOf('hex:')).toBe(`${at}: the name of the key file is missing`);
  expect(await lineOf('/dev/zero')).toBe(
    `${at}: /dev/zero: the key file cannot be read: it is larger than 64 KiB`,
  );
  writeFileSync(file, '');
  expect(await lineOf(file)).toBe(`${file}: the key file is empty; create a new one with "svccmd keygen"`);
  writeFileSync(file, 'secretsecretsecret');
  expect(await lineOf(file)).toBe(
    `${file}: the key has 18 bytes as raw; a key has 16, 24 or 32 bytes, as a JWK, hex, base64 or raw`,
  );
  await expect(loadPasswordKeys({}, noWarning)).rejects.toMatchObject({
    exitCode: 3,
    message: 'no key is configured; set pwdencryptor.key, or create one with "svccmd keygen <file>"',
  });
});

const NO_FILE =
  'pwdencryptor.key (svccmd.conf:8): key file not found; create one with "svccmd keygen", or write hex: or base64: before the key itself';
const NEITHER = (form: string) =>
  `pwdencryptor.key (svccmd.conf:8): what follows ${form}: is neither a file name nor a key of 16, 24 or 32 bytes`;

test.each([
  ['hex', hex, NO_FILE],
  ['base64 with slashes', 'AAEC////AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBk=', NO_FILE],
  ['base64 that is cut', 'AAEC////AAECAwQFBgcICQoLDA0', NO_FILE],
  ['a JWK', '{"kty":"oct","k":"AAEC____AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBk"}', NO_FILE],
  ['a JWK as keygen writes it', `{\n  "kty": "oct",\n  "k": "${'A'.repeat(43)}"\n}`, NO_FILE],
  ['a text longer than any name', 'k'.repeat(70_000), NO_FILE],
  ['a phrase', 'correct-horse', NO_FILE],
  ['hex of a wrong length', `hex:/etc/${hex}ab`, NEITHER('hex')],
  ['base64 of a wrong length', 'base64:/etc/AAEC////AAECAwQ=', NEITHER('base64')],
  ['raw of a wrong length', 'raw:/etc/correct horse battery', NEITHER('raw')],
])('a key put where a path belongs is not shown: %s', async (_case, setting, line) => {
  expect(await lineOf(setting)).toBe(line);
});

test('a key in place of a key file is reported as such, and not shown', async () => {
  const loading = loadKeyFile(`hex:${hex}`, '--key-file', noWarning);
  await expect(loading).rejects.toMatchObject({
    exitCode: 3,
    message:
      '--key-file: what follows hex: is a key, not a file name; write it to a file, since every user of this machine can read the command line',
  });
});

test('a setting that is both a key and a file name is rejected', async () => {
  const name = 'A'.repeat(22);
  mkdirSync(join(folder, name));
  const here = process.cwd();
  process.chdir(folder);
  try {
    expect(await lineOf(`base64:${name}`)).toBe(
      'pwdencryptor.key (svccmd.conf:8) could be a key or a file name; write base64:./<file> for the file',
    );
  } finally {
    process.chdir(here);
  }
});
