import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { makePasswordFolder, type PasswordFolder } from './password-folder.js';

/** Debian's own interpreter: the one that python3-jwcrypto is installed for. */
const PYTHON = '/usr/bin/python3';

let folder: PasswordFolder;
let svccmd: PasswordFolder['svccmd'];

beforeEach(async () => {
  folder = await makePasswordFolder();
  ({ svccmd } = folder);
  for (const name of ['collector', 'standby'])
    expect((await svccmd(['keygen', '--pair', `${name}.key`])).code).toBe(0);
});
afterEach(() => rmSync(folder.path, { recursive: true }));

const modeOf = (name: string) => statSync(join(folder.path, name)).mode & 0o777;

async function seal(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await svccmd(
    ['encpwd', '--recipient', 'collector.pub', ...args],
    'hunter2\n',
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout.trim();
}

describe('a key pair', () => {
  test('is a private key for its owner, and a public one for everyone', async () => {
    expect([modeOf('collector.key'), modeOf('collector.pub')]).toEqual([0o600, 0o644]);
    const [secret, shared] = ['collector.key', 'collector.pub'].map(
      (name) => JSON.parse(folder.read(name)) as Record<string, string>,
    );
    expect(shared).toEqual({ ...secret, d: undefined });
    const { code, stdout } = await svccmd([
      'keygen',
      '--pair',
      'x.key',
      '--curve',
      'X25519',
      '--with',
      'password.key',
      '--json',
    ]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ curve: 'X25519', public_file: 'x.pub', keys: 2 });
    expect(JSON.parse(folder.read('x.key'))).toMatchObject({ keys: [{ crv: 'X25519' }, { kty: 'oct' }] });
  });

  test('alone has a curve', async () => {
    expect(await svccmd(['keygen', 'x.key', '--curve', 'P-256'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--curve requires --pair: an AES key has no curve') as string,
    });
    expect(existsSync(join(folder.path, 'x.key'))).toBe(false);
  });

  test('never replaces a file, and leaves no half of itself behind', async () => {
    rmSync(join(folder.path, 'standby.pub'));
    expect((await svccmd(['keygen', '--pair', 'standby.key'])).stderr).toMatch(
      /^svccmd: standby\.key: cannot create/,
    );
    expect(existsSync(join(folder.path, 'standby.pub'))).toBe(false);
    rmSync(join(folder.path, 'collector.key'));
    expect((await svccmd(['keygen', '--pair', 'collector.key'])).stderr).toMatch(
      /^svccmd: collector\.pub: cannot create/,
    );
    expect(existsSync(join(folder.path, 'collector.key'))).toBe(false);
  });
});

describe('a sealed password', () => {
  test('decrypts with the private key alone', async () => {
    const sealed = await seal();
    expect(sealed).toMatch(/^eyJ[\w-]+\.[\w-]{54}\.[\w-]{16}\.[\w-]{10}\.[\w-]{22}$/);
    expect((await svccmd(['decpwd', '--key-file', 'collector.key', sealed])).stdout).toBe('hunter2');
    for (const other of ['standby.key', 'password.key']) {
      const { code, stderr } = await svccmd(['decpwd', '--key-file', other, sealed]);
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(/^svccmd: sealed to key [\w-]{43}, whose private key is not/),
      ]);
    }
  });

  test('for several recipients decrypts with each, also in YAML', async () => {
    const tagged = await seal('--recipient', 'standby.pub', '--yaml');
    expect(tagged).toMatch(/^!encpwd '\{.*\}'$/);
    for (const key of ['collector.key', 'standby.key'])
      expect((await svccmd(['decpwd', '--key-file', key], tagged)).stdout).toBe('hunter2');
  });

  test('is what encpwd makes where recipients are configured; --key-file still chooses a symmetric key', async () => {
    folder.write(
      'svccmd.conf',
      '[pwdencryptor]\nkey = collector.key\nrecipients = collector.pub, standby.pub\n',
    );
    const { stdout } = await svccmd(['encpwd', '--json'], 'hunter2');
    const { encrypted_password: sealed, recipients, kid } = JSON.parse(stdout) as Record<string, string>;
    expect(recipients).toHaveLength(2);
    expect(recipients).toContain(kid);
    expect((await svccmd(['decpwd', sealed!])).stdout).toBe('hunter2');
    expect((await svccmd(['encpwd', '--key-file', 'password.key'], 'x')).stdout).toMatch(/^eyJ[\w-]+\.\./);
  });

  test('bound to a place decrypts only there', async () => {
    for (const sealed of [
      await seal('--for', 'db.yaml/password'),
      (await svccmd(['encpwd', '--for', 'db.yaml/password'], 'hunter2')).stdout.trim(),
    ]) {
      const key = sealed.includes('..') ? 'password.key' : 'collector.key';
      const open = (...args: string[]) => svccmd(['decpwd', '--key-file', key, sealed, ...args]);
      expect(await open('--for', 'db.yaml/password')).toMatchObject({ code: 0, stdout: 'hunter2' });
      expect(await open('--for', 'other.yaml/password')).toEqual({
        code: 1,
        stdout: '',
        stderr:
          'svccmd: the encrypted password is bound to "db.yaml/password", so it does not belong to "other.yaml/password"; encrypt the password for this place\n',
      });
      expect(await open()).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/if you found it there, pass --for "db\.yaml\/password"$/m) as string,
      });
    }
  });

  test.each([
    [
      'a private key as recipient',
      ['--recipient', 'collector.key'],
      3,
      /^svccmd: collector\.key: key [\w-]{43} is not public: anyone who has it can decrypt/,
    ],
    ['no such file', ['--recipient', 'nope.pub'], 3, /^svccmd: --recipient: nope\.pub: key file not found/],
    [
      'two targets',
      ['--recipient', 'collector.pub', '--key-file', 'password.key'],
      2,
      /^svccmd: --recipient encrypts with public keys alone/,
    ],
    ['an empty place', ['--for', ''], 1, /^svccmd: a place to bind a password to is one line/],
    [
      'a public key as key file',
      ['--key-file', 'collector.pub'],
      3,
      /^svccmd: collector\.pub: key [\w-]{43} is public, so it cannot decrypt/,
    ],
  ])('is refused for %s', async (_case, args, exitCode, message) => {
    const { code, stdout, stderr } = await svccmd(['encpwd', ...args], 'hunter2');
    expect({ code, stdout }).toEqual({ code: exitCode, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain('hunter2');
  });
});

describe('other programs', () => {
  test('jwcrypto opens what we seal: one recipient, several, both curves', async () => {
    await svccmd(['keygen', '--pair', 'x.key', '--curve', 'X25519']);
    const three = await seal('--recipient', 'standby.pub', '--recipient', 'x.pub');
    const [one, x] = [
      await seal(),
      (await svccmd(['encpwd', '--recipient', 'x.pub'], 'hunter2')).stdout.trim(),
    ];
    const pairs = [
      [one, 'collector'],
      [x, 'x'],
      ...['collector', 'standby', 'x'].map((name) => [three, name]),
    ];
    const script = `
import json, sys
from jwcrypto import jwe, jwk
for sealed, key in json.load(sys.stdin):
    token = jwe.JWE(algs=["ECDH-ES+A256KW", "A256GCM"])
    token.deserialize(sealed, jwk.JWK.from_json(json.dumps(key)))
    print(token.payload.decode())
`;
    const input = JSON.stringify(
      pairs.map(([sealed, name]) => [sealed, JSON.parse(folder.read(`${name}.key`))]),
    );
    const { stdout, stderr } = spawnSync(PYTHON, ['-c', script], { input, encoding: 'utf8' });
    expect({ stdout, stderr }).toEqual({ stdout: 'hunter2\n'.repeat(5), stderr: '' });
  });

  test('key pairs of openssl seal and open', async () => {
    const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder.path, stdio: 'pipe' });
    openssl('genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256', '-out', 'made.pem');
    openssl('pkey', '-in', 'made.pem', '-pubout', '-out', 'made.pub.pem');
    const { stdout } = await svccmd(['encpwd', '--recipient', 'made.pub.pem'], 'hunter2');
    const opened = await svccmd(['decpwd', '--key-file', 'made.pem', stdout.trim()]);
    expect(opened).toMatchObject({ code: 0, stdout: 'hunter2' });
  });
});

test('a key file may be standard input, where that is free', async () => {
  const sealed = await seal();
  const key = folder.read('collector.key');
  expect(await svccmd(['decpwd', '--key-file', '-', sealed], key)).toEqual({
    code: 0,
    stdout: 'hunter2',
    stderr: '',
  });
  for (const args of [['decpwd'], ['encpwd']])
    expect(await svccmd([...args, '--key-file', '-'], key)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/leaves no standard input/) as string,
    });
  expect(await svccmd(['decpwd', '--key-file', '-', sealed], '')).toMatchObject({
    code: 3,
    stderr: 'svccmd: standard input: the pipe was closed before it delivered a key\n',
  });
});
