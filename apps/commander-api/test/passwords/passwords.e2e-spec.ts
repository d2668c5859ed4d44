import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startSvccmd } from '../shell/run-svccmd.js';
import { makePasswordFolder, type PasswordFolder } from './password-folder.js';

const JWE = /^eyJ[\w-]+\.\.[\w-]{16}\.[\w-]+\.[\w-]{22}\n$/;

let cwd: string;
let svccmd: PasswordFolder['svccmd'];
let write: PasswordFolder['write'];
let read: PasswordFolder['read'];

beforeEach(async () => {
  ({ path: cwd, svccmd, write, read } = await makePasswordFolder());
});

afterEach(() => rmSync(cwd, { recursive: true }));

describe('encpwd', () => {
  test('prints the bare value on one line, which decpwd opens', async () => {
    const { code, stdout, stderr } = await svccmd(['encpwd', 'hunter2']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(JWE);
    expect(await svccmd(['decpwd', stdout.trim()])).toEqual({ code: 0, stdout: 'hunter2', stderr: '' });
  });

  test('--yaml prints the tag, which decpwd takes as well', async () => {
    const { stdout } = await svccmd(['encpwd', 'hunter2', '--yaml']);
    expect(stdout).toMatch(/^!encpwd "eyJ[\w.-]+"\n$/);
    expect((await svccmd(['decpwd'], stdout)).stdout).toBe('hunter2');
  });

  test('--json prints value and key id', async () => {
    const { stdout } = await svccmd(['--json', 'encpwd', 'hunter2']);
    const { kid } = JSON.parse(read('password.key')) as { kid: string };
    expect(JSON.parse(stdout)).toEqual({ encrypted_password: expect.stringMatching(/^eyJ/) as string, kid });
  });

  test.each([
    ['a line', 'hunter2\n', 'hunter2'],
    ['a line of Windows', 'hunter2\r\n', 'hunter2'],
    ['no line break', 'hunter2', 'hunter2'],
    ['two line breaks, of which one is dropped', 'hunter2\n\n', 'hunter2\n'],
    ['what an argument cannot hold well', ' -x "\'$HOME ž密🐎 ', ' -x "\'$HOME ž密🐎 '],
  ])('takes from standard input %s', async (_case, input, password) => {
    const { stdout } = await svccmd(['encpwd'], input);
    expect((await svccmd(['decpwd'], stdout)).stdout).toBe(password);
  });

  test('takes an argument that begins with a hyphen after --', async () => {
    const { stdout } = await svccmd(['encpwd', '--', '-hunter2']);
    expect((await svccmd(['decpwd'], stdout)).stdout).toBe('-hunter2');
  });

  test.each([
    ['empty input', ['encpwd'], '', 1, /the password is empty/],
    ['an empty argument', ['encpwd', ''], '', 1, /the password is empty/],
    ['64 KiB and a byte', ['encpwd'], 'x'.repeat(65_537), 1, /longer than 65536 bytes/],
    ['a stream without end', ['encpwd'], 'x'.repeat(1_000_000), 1, /longer than 131072 bytes/],
    ['invalid UTF-8', ['encpwd'], new Uint8Array([0xff, 0xfe, 0x41]), 1, /not UTF-8/],
    ['an argument that begins with a hyphen', ['encpwd', '-hunter2'], '', 2, /put -- before a password/],
    ['a password in two words', ['encpwd', 'hunter2', 'hunter2'], '', 2, /too many arguments/],
    [
      '--old-key-file without --rotate',
      ['encpwd', 'hunter2', '--old-key-file', 'x'],
      '',
      2,
      /requires --rotate/,
    ],
    [
      'a missing key file',
      ['encpwd', 'hunter2', '--key-file', 'nope.key'],
      '',
      3,
      /--key-file: nope\.key: key file not found/,
    ],
  ])('refuses %s, and never shows it', async (_case, args, input, exitCode, message) => {
    const { code, stdout, stderr } = await svccmd(args, input);
    expect({ code, stdout }).toEqual({ code: exitCode, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/^svccmd: [^\n]*\n$/);
    expect(stderr).not.toContain('hunter2');
  });

  test('without a key says how to get one', async () => {
    rmSync(join(cwd, 'svccmd.conf'));
    expect(await svccmd(['encpwd', 'hunter2'])).toEqual({
      code: 3,
      stdout: '',
      stderr:
        'svccmd: no key is configured; set pwdencryptor.key, or create one with "svccmd keygen <file>"\n',
    });
  });

  test('--key-file works without any configuration, even beside a broken one', async () => {
    write('svccmd.conf', 'broken');
    expect((await svccmd(['encpwd', 'hunter2', '--key-file', 'password.key'])).code).toBe(0);
  });

  test('warns of a key file that everyone reads, unless --quiet', async () => {
    chmodSync(join(cwd, 'password.key'), 0o644);
    const { code, stdout, stderr } = await svccmd(['encpwd', 'hunter2']);
    expect(code).toBe(0);
    expect(stdout).toMatch(JWE);
    expect(stderr).toMatch(
      /^warning: .*password\.key is readable by every user of this machine; run chmod 600 on it\n$/,
    );
    expect((await svccmd(['--quiet', 'encpwd', 'hunter2'])).stderr).toBe('');
  });
});

test('an argument is not in the process list once svccmd runs', async () => {
  // The pipe has no writer at first, so the process waits for its key.
  execFileSync('mkfifo', [join(cwd, 'pipe')]);
  const child = startSvccmd(['encpwd', 'hunter2', '--key-file', 'pipe'], { cwd });
  const ended = once(child, 'close');
  const listed = () => readFileSync(`/proc/${child.pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  const deadline = Date.now() + 20_000;
  while (listed() !== 'svccmd encpwd' && Date.now() < deadline) await sleep(20);
  expect(listed()).toBe('svccmd encpwd');
  write('pipe', '0123456789abcdef'.repeat(4));
  expect(await ended).toEqual([0, null]);
});

describe('decpwd', () => {
  test('rejects anything but one complete value for its keys, each with its own message', async () => {
    await svccmd(['keygen', 'other.key']);
    const own = (await svccmd(['encpwd', 'hunter2'])).stdout.trim();
    const { stdout: foreign } = await svccmd(['--json', 'encpwd', 'hunter2', '--key-file', 'other.key']);
    const { encrypted_password, kid } = JSON.parse(foreign) as Record<string, string>;
    const refusals: [string, string][] = [
      [
        'hunter2',
        'not an encrypted password: expected five parts separated by dots, the first starting with eyJ',
      ],
      [
        own.slice(0, -2) + (own.endsWith('AA') ? 'QA' : 'AA'),
        'the encrypted password was modified: copy it again from its source, or encrypt the password again',
      ],
      [own.slice(0, -9), 'cut off: its last part has 13 of 22 characters; copy all of it again'],
      [own.slice(0, own.lastIndexOf('.')), 'cut off: it has 4 of 5 parts; copy all of it again'],
      [
        `password: !encpwd "${own}"`,
        'more than an encrypted password: pass only the text between the quotes after !encpwd',
      ],
      [`${own}\n${own}\n`, '2 encrypted passwords: pass one at a time'],
      ['', 'there is no encrypted password: the value is empty'],
      [
        encrypted_password!,
        `encrypted with key ${kid}, which is not among the keys given; pass the key file it was encrypted with`,
      ],
    ];
    for (const [value, line] of refusals)
      expect(await svccmd(['decpwd'], value)).toEqual({ code: 1, stdout: '', stderr: `svccmd: ${line}\n` });
  });
});

describe('keygen', () => {
  test.each(['128', '192', '256'])('makes a JWK of %s bits that only its owner reads', async (bits) => {
    expect((await svccmd(['keygen', 'new.key', '--bits', bits])).code).toBe(0);
    const jwk = JSON.parse(read('new.key')) as { kty: string; k: string };
    expect(jwk.kty).toBe('oct');
    expect(Buffer.from(jwk.k, 'base64url')).toHaveLength(Number(bits) / 8);
    expect(statSync(join(cwd, 'new.key')).mode & 0o777).toBe(0o600);
    const { stdout } = await svccmd(['encpwd', 'hunter2', '--key-file', 'new.key']);
    expect(JSON.parse(Buffer.from(stdout.split('.')[0]!, 'base64url').toString())).toMatchObject({
      enc: `A${bits}GCM`,
    });
  });

  test('never overwrites a file, and never shows the key', async () => {
    const before = read('password.key');
    const { code, stderr } = await svccmd(['keygen', 'password.key']);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'svccmd: password.key: cannot create the file (it already exists and is not overwritten)\n',
    });
    expect(read('password.key')).toBe(before);
    const { stdout } = await svccmd(['keygen', 'new.key']);
    expect(stdout).not.toContain((JSON.parse(read('new.key')) as { k: string }).k);
  });

  test.each([
    ['--bits', '512'],
    ['--bits', 'x'],
  ])('refuses %s %s', async (...bits) => {
    expect((await svccmd(['keygen', 'new.key', ...bits])).code).toBe(2);
  });
});
