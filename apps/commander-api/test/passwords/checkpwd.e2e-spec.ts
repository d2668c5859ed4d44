import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makePasswordFolder, type PasswordFolder } from './password-folder.js';

const ROOT = new URL('../../../../', import.meta.url).pathname;

let folder: PasswordFolder;
let svccmd: PasswordFolder['svccmd'];

beforeEach(async () => {
  folder = await makePasswordFolder();
  ({ svccmd } = folder);
  mkdirSync(join(folder.path, 'library/.hidden'), { recursive: true });
});
afterEach(() => rmSync(folder.path, { recursive: true }));

const encrypted = async (...args: string[]) =>
  (await svccmd(['encpwd', '--yaml', ...args], 'hunter2')).stdout.trim();

interface Report {
  readonly files: number;
  readonly skipped: number;
  readonly findings: readonly {
    path: string;
    line: number;
    rule: string;
    severity: string;
    fingerprint?: string;
  }[];
}

async function check(...args: string[]) {
  const { code, stdout, stderr } = await svccmd(['--json', 'checkpwd', ...args]);
  expect(stdout + stderr).not.toContain('hunter2');
  const report = JSON.parse(stdout) as Report;
  return { code, report, rules: report.findings.map(({ path, line, rule }) => `${path}:${line} ${rule}`) };
}

test('folders are searched, hidden files too; each problem has its place, its rule and no value', async () => {
  folder.write('library/a.yaml', `user: x\npassword: ${await encrypted()}\nother: {password: hunter2}\n`);
  folder.write('library/.hidden/.env', 'API_KEY=Zx81hunter2Kq07\n');
  folder.write('library/b.json', '{"url": "https://me:hunter2@db/x"}');
  writeFileSync(join(folder.path, 'library/c.png'), Buffer.from([0x89, 0, 1]));
  writeFileSync(join(folder.path, 'library/d.txt'), Buffer.from([0xff, 0xfe]));
  symlinkSync('/etc', join(folder.path, 'library/link'));
  const { code, stdout, stderr } = await svccmd(['checkpwd', 'library']);
  expect([code, stderr]).toEqual([1, 'svccmd: 3 problems with passwords\n']);
  expect(stdout).toBe(
    `library/a.yaml:3: error: plain password at "other.password"; encrypt it with "svccmd encpwd --set" (plain-key-name)
library/b.json:1: error: plain password in a URL; encrypt it with "svccmd encpwd", and revoke it if it was shared (plain-token)
library/.hidden/.env:1: error: plain password at "API_KEY"; encrypt it with "svccmd encpwd --set" (plain-key-name)
4 files checked, 1 skipped (1 binary), 3 problems
`,
  );
  expect((await check('library')).report).toMatchObject({
    files: 4,
    skipped: 1,
    skipped_files: [{ path: 'library/c.png', reason: 'binary' }],
  });
  expect(await svccmd(['checkpwd', 'library/a.yaml', 'nope.yaml'])).toMatchObject({
    code: 1,
    stderr: 'svccmd: nope.yaml: the file cannot be read: the file does not exist\n',
  });
});

test('text in other encodings is searched', async () => {
  const text = 'password: hunter2 # Grüße\n';
  writeFileSync(join(folder.path, 'a.yaml'), Buffer.from(`\ufeff${text}`, 'utf16le'));
  writeFileSync(join(folder.path, 'b.yaml'), Buffer.from(`\ufeff${text}`, 'utf16le').swap16());
  writeFileSync(join(folder.path, 'c.yaml'), Buffer.from(text, 'latin1'));
  const { rules } = await check('a.yaml', 'b.yaml', 'c.yaml');
  expect(rules).toEqual(['a.yaml:1 plain-key-name', 'b.yaml:1 plain-key-name', 'c.yaml:1 plain-key-name']);
});

test('files that are binary or too large are skipped and counted; the gate may insist on all', async () => {
  writeFileSync(join(folder.path, 'library/a.png'), Buffer.from([0x89, 0, 1]));
  writeFileSync(join(folder.path, 'library/b.csv'), Buffer.alloc(16 * 1_048_576 + 1, 'a'));
  folder.write('library/c.yaml', 'a: 1\n');
  const summary = '1 file checked, 2 skipped (1 binary, 1 larger than 16 MiB), no problems\n';
  expect(await svccmd(['checkpwd', '--strict', 'library'])).toMatchObject({ code: 0, stdout: summary });
  const failed = await svccmd(['checkpwd', '--fail-skipped', 'library']);
  expect([failed.code, failed.stdout, failed.stderr]).toEqual([
    1,
    summary,
    'svccmd: library/a.png: skipped: it is binary\nsvccmd: library/b.csv: skipped: it is larger than 16 MiB\n',
  ]);
  expect(await svccmd(['checkpwd', 'library/b.csv'])).toMatchObject({
    code: 1,
    stderr: 'svccmd: library/b.csv: the file cannot be read: it is larger than 16 MiB\n',
  });
});

test('what is marked and not encrypted is an error that no list allows; other text may only mention it', async () => {
  folder.write('library/a.yaml', 'x: !encpwd-plain "${PASSWORD}"\n');
  folder.write(
    'library/README.md',
    'Write `password: !encpwd-plain "x"`:\n\npassword: !encpwd-plain "hunter2"\n',
  );
  expect(await check('library')).toMatchObject({
    code: 1,
    rules: [
      'library/README.md:1 plain-marked',
      'library/README.md:3 plain-marked',
      'library/a.yaml:1 plain-marked',
    ],
  });
  folder.write('all.allow', '*\n');
  expect(await check('library', '--allow', 'all.allow')).toMatchObject({
    code: 1,
    rules: ['library/a.yaml:1 plain-marked'],
  });
});

test('encrypted passwords are checked with the configured keys: unreadable, old, misplaced', async () => {
  await svccmd(['keygen', 'new.key', '--with', 'password.key']);
  await svccmd(['keygen', 'other.key']);
  folder.write('a.yaml', `p: ${await encrypted()}\nq: ${await encrypted('--key-file', 'other.key')}\n`);
  folder.write(
    'b.yaml',
    `db: {password: ${await encrypted('--for', 'b.yaml/db.password', '--key-file', 'new.key')}}\n`,
  );
  folder.write('c.yaml', folder.read('b.yaml'));
  folder.write('svccmd.conf', '[pwdencryptor]\nkey = new.key\n');
  const { code, rules } = await check('a.yaml', 'b.yaml', 'c.yaml');
  expect([code, rules]).toEqual([1, ['a.yaml:1 old-key', 'a.yaml:2 unreadable', 'c.yaml:1 misplaced']]);
  folder.write('a.yaml', `p: ${await encrypted('--key-file', 'password.key')}\n`);
  expect(await check('a.yaml')).toMatchObject({ code: 0, rules: ['a.yaml:1 old-key'] });
  expect(await check('a.yaml', '--strict')).toMatchObject({ code: 1 });
});

test('sealed passwords are checked without a private key: who can read them', async () => {
  for (const name of ['collector', 'leaver']) await svccmd(['keygen', '--pair', `${name}.key`]);
  folder.write('a.yaml', `p: ${await encrypted('--recipient', 'collector.pub')}\n`);
  folder.write(
    'b.yaml',
    `p: ${await encrypted('--recipient', 'collector.pub', '--recipient', 'leaver.pub')}\n`,
  );
  folder.write('svccmd.conf', '[pwdencryptor]\nrecipients = collector.pub\n');
  expect(await check('a.yaml', 'b.yaml')).toMatchObject({ code: 1, rules: ['b.yaml:1 recipients'] });
});

test('what is allowed by path, or by path and fingerprint, is not reported', async () => {
  folder.write('library/a.yaml', 'password: hunter2\n');
  folder.write('library/b.yaml', 'password: hunter2\n');
  const { report } = await check('library', '--fingerprints');
  const { fingerprint } = report.findings[0]!;
  expect(fingerprint).toMatch(/^[\w-]{16}$/);
  folder.write('checkpwd.allow', `# why\nlibrary/a.yaml ${fingerprint}\n`);
  expect(await check('library', '--allow', 'checkpwd.allow')).toMatchObject({
    code: 1,
    rules: ['library/b.yaml:1 plain-key-name'],
  });
  folder.write('svccmd.conf', '[validate]\nallow_plain = checkpwd.allow\n');
  folder.write('checkpwd.allow', `library/a.yaml ${fingerprint}\nb.yaml\n`);
  expect(await check('library')).toMatchObject({ code: 0, rules: [] });
  // Another value at the same place.
  folder.write('library/a.yaml', 'password: hunter23\n');
  expect(await check('library')).toMatchObject({ code: 1, rules: ['library/a.yaml:1 plain-key-name'] });
  folder.write('checkpwd.allow', 'library/\n');
  expect(await check('library')).toMatchObject({ code: 0 });
  expect(await svccmd(['checkpwd', 'library', '--allow', 'nope'])).toMatchObject({ code: 3, stdout: '' });
});

test('library validate and load report and refuse passwords in plain text, as configured', async () => {
  folder.write('library/a.yaml', `password: hunter2\nn: ${await encrypted()}\n`);
  folder.write('library/b.yaml', 'kennwort: hunter2\nurl: https://me:hunter2@db/x\n');
  const library = async (setting: string, ...args: string[]) => {
    folder.write(
      'svccmd.conf',
      `[pwdencryptor]\nkey = password.key\n[source]\npath = library\n[destination]\nurls = file://${folder.path}/stored\n[validate]\n${setting}\n`,
    );
    const { code, stdout, stderr } = await svccmd(['library', ...args]);
    expect(stdout + stderr).not.toContain('hunter2');
    return { code, text: stdout + stderr };
  };
  expect(await library('', 'validate')).toMatchObject({
    code: 0,
    text: expect.not.stringContaining('plain') as string,
  });
  const warned = await library('plain_passwords = warn', 'validate');
  expect(warned).toMatchObject({
    code: 0,
    text: expect.stringMatching(/^a\.yaml:1: warning: plain password at "password"/m) as string,
  });
  const refused = await library('plain_passwords = refuse\nsealed = kennwort', 'validate');
  expect([refused.code, refused.text.match(/^\S+: error: .*?(?=[:;])/gm)]).toEqual([
    1,
    [
      'b.yaml:1:11: error: has an unencrypted value at "kennwort"',
      'a.yaml:1: error: plain password at "password"',
      'b.yaml:2: error: plain password in a URL',
    ],
  ]);
  expect((await library('plain_passwords = refuse', 'load')).code).toBe(1);
  folder.write('checkpwd.allow', 'a.yaml\nb.yaml\n');
  expect((await library('plain_passwords = refuse\nallow_plain = checkpwd.allow', 'load')).code).toBe(0);
});

test('validate.sealed holds in JSON, INI and comments, too, and each value is reported once', async () => {
  folder.write(
    'library/a.yaml',
    'kennwort: hunter2\nb: 1 # kennwort: hunter3\nenv: [{name: kennwort, value: hunter4}]\n',
  );
  folder.write('library/b.json', '{"kennwort": "hunter2"}');
  folder.write('library/c.ini', '[db]\nkennwort = hunter2\n');
  folder.write('library/d.properties', 'kennwort: hunter2\n');
  folder.write(
    'svccmd.conf',
    `[source]\npath = library\n[validate]\nsealed = kennwort\nplain_passwords = refuse\n`,
  );
  const { code, stdout, stderr } = await svccmd(['library', 'validate']);
  expect(stdout + stderr).not.toContain('hunter');
  expect([code, (stdout + stderr).match(/^\S+: error: .*?(?=[:;])/gm)]).toEqual([
    1,
    [
      'a.yaml:1:11: error: has an unencrypted value at "kennwort"',
      'a.yaml:2: error: plain password at "kennwort"',
      'a.yaml:3: error: plain password at "env.0.kennwort"',
      'b.json:1: error: plain password at "kennwort"',
      'c.ini:2: error: plain password at "db.kennwort"',
      'd.properties:1: error: plain password at "kennwort"',
    ],
  ]);
});

test.each(['', 'plain_passwords = warn', 'sealed = x'])(
  'library validate refuses what is marked and not encrypted, with [validate] %s',
  async (setting) => {
    folder.write('library/a.yaml', 'y: !encpwd-plain "hunter2"\n');
    folder.write('svccmd.conf', `[source]\npath = library\n[validate]\n${setting}\n`);
    const { code, stdout, stderr } = await svccmd(['library', 'validate']);
    expect([code, stdout + stderr]).toEqual([
      1,
      expect.stringContaining('a.yaml:1: error: marked !encpwd-plain at "y", but not encrypted') as string,
    ]);
  },
);

test('the paths of a list are relative to its folder, for checkpwd and for library validate', async () => {
  mkdirSync(join(folder.path, 'library/sub'));
  folder.write('library/sub/a.yaml', 'password: hunter2\n');
  const results = async (list: string, pattern: string) => {
    folder.write(list, `${pattern}\n`);
    folder.write(
      'svccmd.conf',
      `[source]\npath = library\n[validate]\nplain_passwords = refuse\nallow_plain = ${list}\n`,
    );
    return [(await svccmd(['checkpwd', 'library/sub'])).code, (await svccmd(['library', 'validate'])).code];
  };
  expect(await results('list.allow', '/library/sub/')).toEqual([0, 0]);
  expect(await results('list.allow', '/sub/')).toEqual([1, 1]);
  expect(await results('library/list.allow', '/sub/a.yaml')).toEqual([0, 0]);
  expect(await results('library/list.allow', '/library/sub/a.yaml')).toEqual([1, 1]);
});

test('the pre-commit hook of docs/checkpwd.md refuses a commit with a password in plain text', () => {
  const [, hook] = /```sh\n(#!\/bin\/sh\n[^]*?)```/.exec(readFileSync(`${ROOT}docs/checkpwd.md`, 'utf8'))!;
  const git = (...args: string[]) =>
    spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      cwd: folder.path,
      encoding: 'utf8',
      env: { ...process.env, PATH: `${folder.path}/bin:${process.env['PATH']}` },
    });
  mkdirSync(join(folder.path, 'bin'));
  symlinkSync(`${ROOT}apps/commander-api/bin/svccmd.js`, join(folder.path, 'bin/svccmd'));
  git('init', '-q');
  writeFileSync(join(folder.path, '.git/hooks/pre-commit'), hook!);
  chmodSync(join(folder.path, '.git/hooks/pre-commit'), 0o755);
  folder.write('a b.yaml', 'password: hunter2\n');
  git('add', 'a b.yaml');
  // What is staged counts, not what the file has become.
  folder.write('a b.yaml', 'x: 1\n');
  const refused = git('commit', '-qm', 'one');
  expect([refused.status, refused.stdout + refused.stderr]).toEqual([
    1,
    expect.stringMatching(/^a b\.yaml:1: error: plain password/m),
  ]);
  git('add', 'a b.yaml');
  expect(git('commit', '-qm', 'one')).toMatchObject({ status: 0 });
});

test('the pipelines of docs/checkpwd.md fail on a password in plain text, and pass once it is encrypted', async () => {
  const page = readFileSync(`${ROOT}docs/checkpwd.md`, 'utf8');
  const jobs = Array.from(page.matchAll(/```yaml\n([^]*?)```/g), ([, job]) => job!);
  const commands = jobs.flatMap((job) =>
    Array.from(job.matchAll(/(?:- run:|^ +-) svccmd (.*)$/gm), ([, words]) => words!.split(' ')),
  );
  expect(commands).toHaveLength(2);
  folder.write('library/db.yaml', 'password: hunter2\n');
  for (const words of commands) expect(await svccmd(words)).toMatchObject({ code: 1 });
  folder.write('library/db.yaml', `password: ${await encrypted()}\n`);
  for (const words of commands) expect(await svccmd(words)).toMatchObject({ code: 0 });
});
