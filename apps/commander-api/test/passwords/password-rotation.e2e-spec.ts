import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { CompactEncrypt } from 'jose/jwe/compact/encrypt';
import { makePasswordFolder, type PasswordFolder } from './password-folder.js';

const SVCCMD = new URL('../../bin/svccmd.js', import.meta.url).pathname;
const isRoot = process.getuid?.() === 0;

let cwd: string;
let svccmd: PasswordFolder['svccmd'];
let write: PasswordFolder['write'];
let read: PasswordFolder['read'];

beforeEach(async () => {
  ({ path: cwd, svccmd, write, read } = await makePasswordFolder());
});

afterEach(() => rmSync(cwd, { recursive: true }));

const tagged = async (keyFile = 'password.key') =>
  (await svccmd(['encpwd', 'hunter2', '--yaml', '--key-file', keyFile])).stdout.trim();

test('gives every password the new key and leaves all else as it was', async () => {
  const template = (value: string) =>
    `\ufeff# database\r\ndb:   {user: a, password: ${value}} # keep\r\n\r\nx: !EVENT  y`;
  write('a.yaml', template(await tagged()));
  write('b.yaml', 'no: password\n');
  chmodSync(join(cwd, 'a.yaml'), 0o640);
  symlinkSync('a.yaml', join(cwd, 'link.yaml'));

  await svccmd(['keygen', 'new.key', '--with', 'password.key']);
  const rotation = await svccmd(['encpwd', '--rotate', 'link.yaml', 'b.yaml', '--key-file', 'new.key']);
  expect(rotation).toMatchObject({ code: 0, stderr: '' });
  expect(rotation.stdout).toMatch(/^1 password in 1 file, now under key [\w-]{11}\n$/);

  const value = /!encpwd "[^"]+"/.exec(read('a.yaml'))![0];
  expect(read('a.yaml')).toBe(template(value));
  expect(lstatSync(join(cwd, 'link.yaml')).isSymbolicLink()).toBe(true);
  expect(statSync(join(cwd, 'a.yaml')).mode & 0o777).toBe(0o640);
  expect((await svccmd(['decpwd', value])).code).toBe(1);
  expect((await svccmd(['decpwd', value, '--key-file', 'new.key'])).stdout).toBe('hunter2');
});

test('takes the old keys from files of their own as well', async () => {
  write('a.yaml', `p: ${await tagged()}\n`);
  await svccmd(['keygen', 'new.key']);
  const args = [
    'encpwd',
    '--rotate',
    'a.yaml',
    '--key-file',
    'new.key',
    '--old-key-file',
    'password.key',
    '--json',
  ];
  expect(JSON.parse((await svccmd(args)).stdout)).toMatchObject({
    files: [{ file: 'a.yaml', passwords: 1 }],
  });
});

test('rotates away from a key of one repeated byte, which encrypts nothing new', async () => {
  // What an earlier version made with a key of zeros.
  const zeros = await encryptWith(Buffer.alloc(32), 'hunter2');
  write('zeros.key', '00'.repeat(32));
  write('a.yaml', `p: !encpwd '${zeros}'\n`);
  const refused = await svccmd(['encpwd', 'x', '--key-file', 'hex:zeros.key']);
  expect(refused).toMatchObject({ code: 3, stdout: '' });
  expect(refused.stderr).toMatch(
    /^svccmd: key [\w-]{11} is one byte repeated, which is easily guessed; generate a new/m,
  );
  expect(await svccmd(['encpwd', '--rotate', 'a.yaml', '--key-file', 'hex:zeros.key'])).toMatchObject({
    code: 3,
  });
  const args = ['encpwd', '--rotate', 'a.yaml', '--old-key-file', 'hex:zeros.key'];
  const rotation = await svccmd(args);
  expect(rotation).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^1 password in 1 file/) as string,
  });
  expect(rotation.stderr).toMatch(
    /^warning: zeros\.key: key [\w-]{11} is one byte repeated and protects nothing/,
  );
  const [, value] = /^p: !encpwd '(eyJ[\w.-]+)'\n$/.exec(read('a.yaml'))!;
  expect(await svccmd(['decpwd', value!])).toEqual({ code: 0, stdout: 'hunter2', stderr: '' });
});

test('with one invalid value changes nothing and lists every place', async () => {
  await svccmd(['keygen', 'new.key']);
  const good = `p: ${await tagged()}\n`;
  write('a.yaml', good);
  write('b.yaml', `\np: ${await tagged('new.key')}\nq: !encpwd nonsense\n`);
  const { code, stderr } = await svccmd(['encpwd', '--rotate', 'a.yaml', 'b.yaml']);
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^svccmd: b\.yaml:2: encrypted with key .*\nsvccmd: b\.yaml:3: not an encrypted .*\nsvccmd: no file was changed\n$/,
  );
  expect(read('a.yaml')).toBe(good);
});

test('names every file that cannot be read, beside the bad values of the others', async () => {
  write('a.yaml', 'p: !encpwd\n  - hunter2\n');
  write('latin.yaml', '');
  writeFileSync(
    join(cwd, 'latin.yaml'),
    Buffer.concat([Buffer.from('p: !encpwd x # '), Buffer.from([0xff])]),
  );
  expect(await svccmd(['encpwd', '--rotate', 'nope.yaml', 'a.yaml', 'latin.yaml', '/dev/zero'])).toEqual({
    code: 1,
    stdout: '',
    stderr: [
      'nope.yaml: the file cannot be read: the file does not exist',
      'a.yaml:2: !encpwd is on a map or list; it must tag a single encrypted password',
      'latin.yaml: the file cannot be read: it is not UTF-8',
      '/dev/zero: the file cannot be read: it is larger than 16 MiB',
      'no file was changed',
    ]
      .map((line) => `svccmd: ${line}\n`)
      .join(''),
  });
});

test('moves folders from a symmetric key to public keys, with a report first', async () => {
  for (const name of ['collector', 'standby']) await svccmd(['keygen', '--pair', `${name}.key`]);
  mkdirSync(join(cwd, 'library/deep'), { recursive: true });
  const bound = (await svccmd(['encpwd', 'hunter2', '--for', 'b.ini/db.password'])).stdout.trim();
  write('library/a.yaml', `p: ${await tagged()} # x\nq: [${await tagged()}]\n`);
  write('library/deep/b.ini', `[db]\npassword = !encpwd ${bound}\n`);
  write('library/none.json', '{}');
  const files = ['library/a.yaml', 'library/deep/b.ini'];
  const before = files.map(read);
  const args = [
    'encpwd',
    '--rotate',
    'library',
    '--to-recipient',
    'collector.pub',
    '--to-recipient',
    'standby.pub',
  ];

  const dry = await svccmd([...args, '--dry-run']);
  expect(dry).toMatchObject({ code: 0, stderr: '' });
  expect(dry.stdout).toMatch(
    /^library\/a\.yaml: 2 passwords of key [\w-]{11}\nlibrary\/deep\/b\.ini: 1 password of key [\w-]{11}\n3 passwords in 2 files, would be under keys [\w-]{43}, [\w-]{43}\n$/,
  );
  expect(files.map(read)).toEqual(before);

  expect((await svccmd(args)).stdout).toMatch(/^3 passwords in 2 files, now under keys /m);
  expect(read('library/a.yaml').replaceAll(/\{[^}]*\}.*?\]\}/g, '…')).toBe(
    `p: !encpwd '…' # x\nq: [!encpwd '…']\n`,
  );
  const [, value] = /= !encpwd (\{.*\})\n/.exec(read('library/deep/b.ini'))!;
  for (const key of ['collector.key', 'standby.key'])
    expect((await svccmd(['decpwd', '--key-file', key, value!, '--for', 'b.ini/db.password'])).stdout).toBe(
      'hunter2',
    );
  expect((await svccmd(args)).stderr).toMatch(
    /^svccmd: library\/a\.yaml:1: sealed to key [\w-]{43}, [\w-]{43}, whose private key/,
  );
});

test('with --keep-going changes the files that it can, each as a whole, and lists the others', async () => {
  await svccmd(['keygen', 'new.key']);
  const foreign = await tagged('new.key');
  const half = `p: ${await tagged()}\nq: ${foreign}\n`;
  write('a.yaml', half);
  write('b.yaml', `p: ${await tagged()}\n`);
  const before = read('b.yaml');
  const { code, stdout, stderr } = await svccmd(['encpwd', '--rotate', 'a.yaml', 'b.yaml', '--keep-going']);
  expect([code, stdout]).toEqual([1, expect.stringMatching(/^1 password in 1 file, now under/)]);
  expect(stderr).toMatch(
    /^svccmd: a\.yaml:2: encrypted with key .*\nsvccmd: these files were not changed\n$/,
  );
  expect(read('a.yaml')).toBe(half);
  expect(read('b.yaml')).not.toBe(before);
});

test('takes hidden files, leaves symbolic links and says so; files without passwords need not be valid', async () => {
  mkdirSync(join(cwd, 'library/.config'), { recursive: true });
  const hidden = ['library/.env', 'library/.env.local', 'library/.config/a.yaml'];
  for (const file of hidden) write(file, `PASSWORD${file.endsWith('yaml') ? ': ' : '='}${await tagged()}\n`);
  write('outside.yaml', `p: ${await tagged()}\n`);
  symlinkSync('../outside.yaml', join(cwd, 'library/link.yaml'));
  write('library/template.yaml', '{{ if }}\na: 1\n');
  writeFileSync(join(cwd, 'library/b.ini'), Buffer.from([0xff]));
  await svccmd(['keygen', 'new.key', '--with', 'password.key']);
  const { code, stdout, stderr } = await svccmd([
    'encpwd',
    '--rotate',
    'library',
    '--key-file',
    'new.key',
    '--json',
  ]);
  expect([code, stderr]).toEqual([
    0,
    'skipped 1 symbolic link: library/link.yaml; name the files to change them\n',
  ]);
  const { files, skipped_links } = JSON.parse(stdout) as {
    files: { file: string; passwords: number }[];
    skipped_links: string[];
  };
  expect(
    files
      .filter(({ passwords }) => passwords > 0)
      .map(({ file }) => file)
      .sort(),
  ).toEqual(hidden.sort());
  expect(skipped_links).toEqual(['library/link.yaml']);
  const [value] = /eyJ[\w.-]+/.exec(read('library/.env'))!;
  expect((await svccmd(['decpwd', value, '--key-file', 'new.key'])).stdout).toBe('hunter2');
});

test('seals to the configured recipients, whatever key decrypts', async () => {
  await svccmd(['keygen', '--pair', 'collector.key']);
  write('svccmd.conf', '[pwdencryptor]\nrecipients = collector.pub\n');
  write('a.yaml', `p: ${await tagged()}\n`);
  const { code, stdout } = await svccmd(['encpwd', '--rotate', 'a.yaml', '--key-file', 'password.key']);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/now under key [\w-]{43}\n$/)]);
  const [value] = /eyJ[\w.-]+/.exec(read('a.yaml'))!;
  expect((await svccmd(['decpwd', value, '--key-file', 'collector.key'])).stdout).toBe('hunter2');
});

test.each([
  [
    'a file that is standard input',
    ['--rotate', '-'],
    '--set, --file and --rotate change files; - is not one',
  ],
  [
    'two keys on standard input',
    ['--rotate', 'a.yaml', '--key-file', '-', '--old-key-file', '-'],
    '- can be given once, for one key file: standard input is read once',
  ],
])('refuses %s', async (_case, args, message) => {
  write('-', '');
  expect(await svccmd(['encpwd', ...args])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining(message) as string,
  });
});

test('an old key may be standard input', async () => {
  await svccmd(['keygen', 'new.key']);
  write('a.yaml', `p: ${await tagged()}\n`);
  const args = ['encpwd', '--rotate', 'a.yaml', '--key-file', 'new.key', '--old-key-file', '-'];
  expect(await svccmd(args, read('password.key'))).toMatchObject({ code: 0, stderr: '' });
});

// Root alone can make a file that is another's; without CAP_CHOWN it cannot give a new one to that other.
(isRoot ? test : test.skip)('says why an owner cannot be kept', async () => {
  write('a.yaml', `p: ${await tagged()}\n`);
  chownSync(join(cwd, 'a.yaml'), 65_534, 65_534);
  const before = read('a.yaml');
  const args = ['encpwd', '--rotate', 'a.yaml', '--key-file', 'password.key'];
  const command = ['--inh-caps=-chown', '--bounding-set=-chown', process.execPath, SVCCMD, ...args];
  const { status, stderr } = spawnSync('setpriv', command, { cwd, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr:
      'svccmd: a.yaml: cannot replace the file (its owner 65534:65534 could not be preserved, EPERM; run svccmd as its owner or as root)\n' +
      'svccmd: no file was changed\n',
  });
  expect(read('a.yaml')).toBe(before);
  expect(readdirSync(cwd).sort()).toEqual(['a.yaml', 'password.key', 'svccmd.conf']);
});

async function encryptWith(key: Uint8Array, password: string): Promise<string> {
  return new CompactEncrypt(Buffer.from(password))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .encrypt(key);
}
