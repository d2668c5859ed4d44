import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { COMMANDS } from '../../src/command-table.js';
import { runInProcess } from './run-in-process.js';
import { runSvccmd, startSvccmd, SVCCMD } from './run-svccmd.js';

let cwd: string;
const svccmd = (args: readonly string[], options: { input?: string; env?: NodeJS.ProcessEnv } = {}) =>
  runInProcess(args, { cwd, ...options });

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'svccmd-'));
});

afterEach(() => rmSync(cwd, { recursive: true }));

test('--help lists every command and the exit codes', async () => {
  const { code, stdout, stderr } = await runSvccmd(['--help'], { cwd });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  for (const { name, description } of COMMANDS)
    expect(stdout).toMatch(new RegExp(`^  ${name} .*${description.slice(0, 20)}`, 'm'));
  expect(stdout).toMatch(/^ {2}3 {2}invalid configuration$/m);
});

test.each(COMMANDS.map(({ name }) => name))('%s --help explains the command', async (name) => {
  const { code, stdout, stderr } = await svccmd([name, '--help']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(new RegExp(`^Usage: svccmd ${name}`));
});

test.each([{}, { NO_COLOR: '1' }, { FORCE_COLOR: '3' }])(
  'there are no colours, not even with %j',
  async (env) => {
    jest.replaceProperty(process, 'env', { ...process.env, ...env });
    for (const args of [['--help'], ['config'], ['encpw'], ['config', '--jsn']]) {
      const { stdout, stderr } = await svccmd(args, { env });
      expect(stdout + stderr).not.toContain('\u001b');
    }
    const { stdout, stderr } = await runSvccmd(['--help'], { cwd, env });
    expect(stdout + stderr).not.toContain('\u001b');
  },
);

test('--quiet suppresses notes, not errors', async () => {
  writeFileSync(join(cwd, 'k'), '0123456789abcdef'.repeat(4), { mode: 0o644 });
  const loud = await svccmd(['encpwd', 'x', '--key-file', 'k']);
  expect(loud.stderr).toMatch(/^warning: /);
  expect(await svccmd(['--quiet', 'encpwd', 'x', '--key-file', 'k'])).toMatchObject({ code: 0, stderr: '' });
  expect((await svccmd(['--quiet', 'encpwd', 'x', '--key-file', 'no.key'])).stderr).toMatch(
    /^svccmd: --key-file: no\.key: /,
  );
});

test('--version prints the version of the package', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  expect(await runSvccmd(['--version'], { cwd })).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
});

test.each([
  [
    'a mistyped command',
    ['encpw'],
    2,
    /^svccmd: unknown command 'encpw' \(Did you mean encpwd\?\); see svccmd --help\n$/,
  ],
  [
    'a configuration file that is not there',
    ['-c', 'nope.conf', 'config'],
    3,
    /^svccmd: .*nope\.conf: the configuration file cannot be read: the file does not exist\n$/,
  ],
  [
    'a configuration file of another kind',
    ['-c', 'a.toml', 'config'],
    3,
    /^svccmd: .*a\.toml: a configuration file must end in/,
  ],
])('%s is one line on standard error', async (_case, args, exitCode, message) => {
  const { code, stdout, stderr } = await svccmd(args);
  expect({ code, stdout }).toEqual({ code: exitCode, stdout: '' });
  expect(stderr).toMatch(message);
});

describe('config', () => {
  test('shows values, their origins and no secret', async () => {
    writeFileSync(
      join(cwd, 'my.conf'),
      '[source]\npath = git://me:s3cret@git.example.com/lib.git#x\n[http]\nport = 9000\n',
    );
    const { code, stdout, stderr } = await svccmd(['-c', 'my.conf', 'config', '--json'], {
      env: {
        SVCCMD_DESTINATION_AUTH: 'admin:s3cret',
        SVCCMD_HTTP_PORT: '9001',
        // A key that is cut, where the path of its file belongs.
        SVCCMD_PWDENCRYPTOR_KEY: 'AAEC////s3cret/AAECAwQFBgcICQoLDA0ODxAREh=',
      },
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).not.toContain('s3cret');
    const { file, settings } = JSON.parse(stdout) as { file: string; settings: unknown[] };
    expect(file).toBe(join(cwd, 'my.conf'));
    expect(settings).toEqual(
      expect.arrayContaining([
        {
          section: 'source',
          key: 'path',
          value: 'git://********@git.example.com/lib.git#x',
          origin: 'my.conf:2',
        },
        { section: 'http', key: 'port', value: 9001, origin: 'SVCCMD_HTTP_PORT' },
        { section: 'destination', key: 'auth', value: '********', origin: 'SVCCMD_DESTINATION_AUTH' },
        { section: 'destination', key: 'timeout', value: '10 s', origin: 'default' },
      ]),
    );
  });

  test('reads svccmd.conf in the current folder by default', async () => {
    writeFileSync(join(cwd, 'svccmd.conf'), '[http]\nport = 9000\n');
    expect((await svccmd(['config'])).stdout).toMatch(/^http\.port +9000 +svccmd\.conf:2$/m);
  });

  test('works without a file', async () => {
    expect(await svccmd(['config'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^file: none\n/) as string,
    });
  });

  test('reports all errors at once', async () => {
    writeFileSync(join(cwd, 'svccmd.conf'), '[http]\nprot = 1\nport = x\n[destnation]\nurls = y\n');
    const { code, stderr } = await svccmd(['config']);
    expect(code).toBe(3);
    expect(stderr.split('\n').sort()).toEqual([
      '',
      'svccmd: svccmd.conf:2: unknown key http.prot; did you mean port?',
      'svccmd: svccmd.conf:3: http.port must be a port from 0 to 65535',
      'svccmd: svccmd.conf:5: unknown section [destnation]; did you mean destination?',
    ]);
  });

  test.each(['svccmd.conf', 'svccmd.yaml'])('init writes %s once, for its owner only', async (name) => {
    expect(await svccmd(['config', 'init', name])).toEqual({
      code: 0,
      stdout: `wrote ${name}\n`,
      stderr: '',
    });
    expect(statSync(join(cwd, name)).mode & 0o777).toBe(0o600);
    expect((await svccmd(['-c', name, 'config'])).code).toBe(0);
    const again = await svccmd(['config', 'init', name]);
    expect(again.code).toBe(1);
    expect(again.stderr).toMatch(/is not overwritten/);
  });
});

test.each([
  ['SIGHUP', 129],
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s while it waits for input ends it quietly with %i', async (signal, code) => {
  writeFileSync(join(cwd, 'k'), '0123456789abcdef'.repeat(4), { mode: 0o644 });
  const child = startSvccmd(['encpwd', '--key-file', 'k'], { cwd });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  // The warning about the key file comes just before it waits.
  await once(child.stderr, 'data');
  child.kill(signal);
  expect(await once(child, 'close')).toEqual([code, null]);
  expect(stderr).toMatch(/^warning: [^\n]*\n$/);
});

test('a reader that closes the pipe is not an error', async () => {
  const child = startSvccmd(['config'], { cwd });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  child.stdout.destroy();
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(stderr).toBe('');
});

test.each(['head -1', 'true', 'cat'])(
  'a check that fails does so, even if its output goes to %s',
  (reader) => {
    const lines = Array.from({ length: 3_000 }, (_, n) => `db${n}:\n  password: hunter${n}-Xk29\n`);
    writeFileSync(join(cwd, 'db.yaml'), lines.join(''));
    const script = `"$0" "$1" checkpwd db.yaml | ${reader} > /dev/null; exit "\${PIPESTATUS[0]}"`;
    const { status, stderr } = spawnSync('bash', ['--norc', '-c', script, process.execPath, SVCCMD], {
      ...{ cwd, encoding: 'utf8' },
      env: { PATH: process.env['PATH'] },
    });
    expect([status, stderr]).toEqual([1, 'svccmd: 3000 problems with passwords\n']);
  },
);

test('an output that cannot be written is an error', () => {
  const toFull = ['-c', 'exec "$@" > /dev/full', 'sh', process.execPath, SVCCMD, 'config'];
  const { status, stderr } = spawnSync('sh', toFull, {
    cwd,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] },
  });
  expect([status, stderr]).toEqual([1, 'svccmd: cannot write to standard output (ENOSPC)\n']);
});

test.each([
  ['encpwd', 'x', '--key-file', 'k'],
  ['decpwd', 'x', '--key-file', 'k'],
  ['library', 'validate', '--source', '.'],
  ['client', 'validate', 'a.yaml'],
  ['iplookup', 'show', 'a', '192.0.2.1'],
])('%s does not load the framework of the server', async (...args) => {
  const coverage = join(cwd, 'coverage');
  writeFileSync(join(cwd, 'k'), '0123456789abcdef'.repeat(4), { mode: 0o600 });
  await runSvccmd(args, { cwd, env: { NODE_V8_COVERAGE: coverage } });
  const reports = readdirSync(coverage).map((name) => readFileSync(join(coverage, name), 'utf8'));
  const loaded = reports
    .flatMap((report) => (JSON.parse(report) as { result: { url: string }[] }).result)
    .filter(({ url }) => url.startsWith('file:'))
    .map(({ url }) => readFileSync(new URL(url), 'utf8'))
    .join('\n');
  expect(/\/\/ .*compiled\/run-process\.js/.test(loaded)).toBe(true);
  expect(/\/\/ .*node_modules\/@nestjs\//.test(loaded)).toBe(false);
});

test('a bug shows its stack only when that is asked for', async () => {
  const env = { SVCCMD_SOURCE_REF: 'x', SVCCMD_DEBUG: '1' };
  const faulty = ['-c', 'nope.conf', 'config'];
  expect((await svccmd(faulty)).stderr).not.toMatch(/ at /);
  expect((await svccmd(faulty, { env })).stderr).toMatch(/ at .*read-commander-config/);
});
