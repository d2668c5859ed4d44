import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { runInProcess } from '../shell/run-in-process.js';
import { makePasswordFolder, type PasswordFolder } from './password-folder.js';

let folder: PasswordFolder;
let svccmd: PasswordFolder['svccmd'];

beforeEach(async () => {
  folder = await makePasswordFolder();
  ({ svccmd } = folder);
  expect((await svccmd(['keygen', '--pair', 'collector.key'])).code).toBe(0);
});
afterEach(() => rmSync(folder.path, { recursive: true }));

describe('--set', () => {
  const YAML =
    '# databases\ndatabases:\n  - name: \'main\'   # first\n    password: x # to be set\n  - {name: other, password: "y"}\n';

  test('changes one value of YAML, JSON or INI and nothing else', async () => {
    folder.write('db.yaml', YAML);
    folder.write('db.json', '{\n\t"password": "x", "port": 1\n}');
    folder.write('db.ini', '; main\n[main]\npassword = x\n\n[other]\npassword=y\n');
    const set = async (file: string, key: string) =>
      expect(
        await svccmd(['encpwd', '--set', file, key, '--recipient', 'collector.pub'], 'hunter2\n'),
      ).toEqual({
        code: 0,
        stdout: expect.stringMatching(
          new RegExp(`^${file}: ${key.replaceAll('.', '\\.')} is encrypted with key [\\w-]{43}\n$`),
        ) as string,
        stderr: '',
      });
    await set('db.yaml', 'databases.0.password');
    await set('db.json', 'password');
    await set('db.ini', 'main.password');
    const [value] = /eyJ[\w.-]+/.exec(folder.read('db.yaml'))!;
    expect(folder.read('db.yaml')).toBe(YAML.replace('password: x', `password: !encpwd "${value}"`));
    expect(folder.read('db.json')).toMatch(/^\{\n\t"password": "!encpwd eyJ[\w.-]+", "port": 1\n\}$/);
    expect(folder.read('db.ini')).toMatch(
      /^; main\n\[main\]\npassword = !encpwd eyJ[\w.-]+\n\n\[other\]\npassword=y\n$/,
    );
    expect((await svccmd(['decpwd', '--key-file', 'collector.key', value])).stdout).toBe('hunter2');
    expect(statSync(join(folder.path, 'db.yaml')).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder.path).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  test('keeps what others wrote to the file while the password was typed', async () => {
    folder.write('db.yaml', YAML);
    const input = async function* () {
      yield Buffer.from('hun');
      folder.write('db.yaml', `${YAML}added: 1\n`);
      yield Buffer.from('ter2');
    };
    const set = await runInProcess(['encpwd', '--set', 'db.yaml', 'databases.0.password'], {
      cwd: folder.path,
      stdin: Readable.from(input()),
    });
    expect(set).toMatchObject({ code: 0, stderr: '' });
    expect(folder.read('db.yaml')).toMatch(/password: !encpwd "eyJ[^]*added: 1\n$/);
  });

  test('with --for takes only the place where the password goes', async () => {
    folder.write('db.yaml', YAML);
    const set = (place: string) =>
      svccmd(['encpwd', '--set', 'db.yaml', 'databases.0.password', '--for', place], 'hunter2');
    expect(await set('db.yaml/databases.1.password')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        '--for db.yaml/databases.1.password is not where the password goes; the place must be the end of db.yaml/databases.0.password',
      ) as string,
    });
    expect(folder.read('db.yaml')).toBe(YAML);
    const place = `${basename(folder.path)}/db.yaml/databases.0.password`;
    expect(await set(place)).toMatchObject({ code: 0 });
    const [value] = /eyJ[\w.-]+/.exec(folder.read('db.yaml'))!;
    expect((await svccmd(['decpwd', value, '--for', place])).stdout).toBe('hunter2');
    // The folder is part of the place, and known though the file is named without it.
    expect(await svccmd(['checkpwd', 'db.yaml'])).toMatchObject({
      stdout: expect.not.stringContaining('misplaced') as string,
    });
  });

  test.each([
    [
      'a missing key',
      ['databases.0.pass'],
      /^svccmd: db\.yaml: there is no value at the key databases\.0\.pass; add it/,
    ],
    ['a map', ['databases.1'], /^svccmd: db\.yaml: the key databases\.1 is a map or list/],
    ['no key', [], /^svccmd: --set takes one argument/],
    [
      'a value that aliases repeat',
      ['main'],
      /^svccmd: db\.yaml: line 8: aliases in lines 9, 10 repeat the value of main/,
    ],
    ['an alias', ['other'], /^svccmd: db\.yaml: line 9: the key other is an alias; set what it repeats/],
    ['an ambiguous key', ['twice'], /^svccmd: db\.yaml: the key twice occurs 2 times, in lines 6, 7/],
  ])('refuses %s, and changes nothing', async (_case, args, message) => {
    const text = `${YAML}twice: a\ntwice: b\nmain: &p x\nother: *p\nthird: *p\n`;
    folder.write('db.yaml', text);
    const { code, stderr } = await svccmd(['encpwd', '--set', 'db.yaml', ...args], 'hunter2');
    expect(code).not.toBe(0);
    expect(stderr).toMatch(message);
    expect(folder.read('db.yaml')).toBe(text);
  });
});

test('--file encrypts what is marked, in folders too, and only that', async () => {
  mkdirSync(join(folder.path, 'conf/.git'), { recursive: true });
  folder.write('conf/a.yaml', 'a: !encpwd-plain "one" # x\nb: two\n');
  folder.write('conf/b.json', '{"c": "!encpwd-plain three"}');
  folder.write('conf/.git/c.yaml', 'a: !encpwd-plain no\n');
  folder.write('conf/d.txt', 'a: !encpwd-plain no\n');
  const before = folder.read('conf/a.yaml');
  expect((await svccmd(['encpwd', '--file', 'conf', '--dry-run'])).stdout).toMatch(
    /^conf\/a\.yaml: 1 password\nconf\/b\.json: 1 password\n2 passwords would be encrypted with key [\w-]{11}\n$/,
  );
  expect(folder.read('conf/a.yaml')).toBe(before);
  expect((await svccmd(['encpwd', '--file', 'conf'])).code).toBe(0);
  expect(folder.read('conf/a.yaml')).toMatch(/^a: !encpwd "eyJ[\w.-]+" # x\nb: two\n$/);
  expect(folder.read('conf/b.json')).toMatch(/^\{"c": "!encpwd eyJ[\w.-]+"\}$/);
  expect(folder.read('conf/.git/c.yaml') + folder.read('conf/d.txt')).toBe('a: !encpwd-plain no\n'.repeat(2));
  folder.write('conf/a.yaml', 'a: !encpwd-plain ""\n');
  expect(await svccmd(['encpwd', '--file', 'conf'])).toMatchObject({
    code: 1,
    stderr: 'svccmd: conf/a.yaml:1: the password is empty\nsvccmd: no file was changed\n',
  });
});

test('a mark that --file or --rotate cannot follow is an error, and no file changes', async () => {
  const ini = "[db]\npassword = '!encpwd-plain it''s'\n";
  const others = { 'a.yaml': 'a: !encpwd-plain one\n', 'b.yaml': '? !encpwd-plain k\n: v\n' };
  mkdirSync(join(folder.path, 'marks'));
  for (const [name, text] of Object.entries({ ...others, 'c.ini': ini })) folder.write(`marks/${name}`, text);
  const { code, stdout, stderr } = await svccmd(['encpwd', '--file', 'marks']);
  expect([code, stdout]).toEqual([1, '']);
  const lines = stderr.split('\n');
  expect(lines.map((line) => line.replace(/ does not mark .*/, ''))).toEqual([
    'svccmd: marks/b.yaml:1: this !encpwd-plain',
    'svccmd: marks/c.ini:2: this !encpwd-plain',
    'svccmd: no file was changed',
    '',
  ]);
  expect([folder.read('marks/a.yaml'), folder.read('marks/c.ini')]).toEqual([others['a.yaml'], ini]);
});
