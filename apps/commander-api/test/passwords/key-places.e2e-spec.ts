import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makePasswordFolder, type PasswordFolder } from './password-folder.js';
import { runSvccmd } from '../shell/run-svccmd.js';

let folder: PasswordFolder;
let encrypted: string;

beforeEach(async () => {
  folder = await makePasswordFolder();
  encrypted = (await folder.svccmd(['encpwd'], 'hunter2')).stdout.trim();
});
afterEach(() => rmSync(folder.path, { recursive: true }));

const OPENED = { code: 0, stdout: 'hunter2', stderr: '' };
const configure = (line: string) => folder.write('svccmd.conf', `[pwdencryptor]\n${line}\n`);
const open = (env: Readonly<Record<string, string>> = {}) => folder.svccmd(['decpwd', encrypted], '', env);

test('a command that prints the key: the key is what it prints, and config shows neither', async () => {
  configure(`key_command = cat '${folder.path}/password.key'`);
  expect(await open()).toEqual(OPENED);
  const { stdout } = await folder.svccmd(['config']);
  expect(stdout).toMatch(/^pwdencryptor\.key_command +\*{8} +svccmd\.conf:2$/m);
  configure(`key_command = 'cat`);
  expect(await open()).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(
      /svccmd\.conf:2: pwdencryptor\.key_command must be a program and its arguments/,
    ) as string,
  });
});

test('a command that fails: neither what it prints nor the command is shown', async () => {
  configure(`key_command = sh -c 'echo s3cret; echo s3cret >&2; exit 1'`);
  const env = { SVCCMD_DEBUG: '1' };
  const { code, stderr, stdout } = await runSvccmd(['decpwd', encrypted], { cwd: folder.path, env });
  expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
  expect(stderr).toMatch(
    /^svccmd: pwdencryptor\.key_command \(svccmd\.conf:2\) exited with 1; run it yourself to see why\n/,
  );
  expect(stderr).not.toContain('s3cret');
});

test('a credential of systemd is a file of the unit; elsewhere only what needs the key fails', async () => {
  configure('key = credential:encpwd.key');
  mkdirSync(join(folder.path, 'credentials'));
  writeFileSync(join(folder.path, 'credentials/encpwd.key'), folder.read('password.key'), { mode: 0o400 });
  expect(await open({ CREDENTIALS_DIRECTORY: join(folder.path, 'credentials') })).toEqual(OPENED);
  expect(await open()).toEqual({
    code: 3,
    stdout: '',
    stderr:
      'svccmd: pwdencryptor.key (svccmd.conf:2) names a credential of systemd, but CREDENTIALS_DIRECTORY is not set; add LoadCredential=encpwd.key:<file> to the unit\n',
  });
  expect((await folder.svccmd(['config'])).stdout).toMatch(/^pwdencryptor\.key +credential:encpwd\.key /m);
});

test('an environment file may hold the key, or the name of its file', async () => {
  rmSync(join(folder.path, 'svccmd.conf'));
  const { k } = JSON.parse(folder.read('password.key')) as { k: string };
  for (const text of [
    `SVCCMD_PWDENCRYPTOR_KEY=base64:${k}\n`,
    'SVCCMD_PWDENCRYPTOR_KEY=password.key\n',
    'SVCCMD_PWDENCRYPTOR_KEY_COMMAND=cat password.key\n',
  ]) {
    folder.write('svccmd.env', text);
    // As systemd's EnvironmentFile= and docker's --env-file read it.
    const [, name = '', value = ''] = /^(\w+)=(.*)\n$/.exec(
      readFileSync(join(folder.path, 'svccmd.env'), 'utf8'),
    )!;
    expect(await open({ [name]: value })).toEqual(OPENED);
  }
});

test('a secret of Kubernetes is a link to a link; its mode counts', async () => {
  mkdirSync(join(folder.path, 'secret/..2026'), { recursive: true });
  writeFileSync(join(folder.path, 'secret/..2026/key'), folder.read('password.key'), { mode: 0o400 });
  symlinkSync('..2026', join(folder.path, 'secret/..data'));
  symlinkSync('..data/key', join(folder.path, 'secret/key'));
  configure('key = secret/key');
  expect(await open()).toEqual(OPENED);
  chmodSync(join(folder.path, 'secret/..2026/key'), 0o644);
  expect((await open()).stderr).toMatch(/secret\/key is readable by every user of this machine/);
});
