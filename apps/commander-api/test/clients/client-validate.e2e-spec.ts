import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_CAPABILITIES, supportedFeatures, extendCapabilities } from '@svc/client-metadata';
import { runInProcess } from '../shell/run-in-process.js';

const VALID = `client_id: my-app
client_name: My application
redirect_uris:
  - https://app.example.com/callback
code_challenge_method: S256
`;

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'client-validate-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** Runs `svccmd client validate` in the folder of the test. */
const validate = (args: readonly string[], input = '') =>
  runInProcess(['client', 'validate', ...args], { cwd: folder, input });

const file = (name: string, text: string) => writeFile(join(folder, name), text);

test('valid declarations pass', async () => {
  await file('a.yaml', VALID);
  await file(
    'b.json',
    JSON.stringify([
      { client_name: 'B', redirect_uris: ['https://b.example/'], code_challenge_method: 'S256' },
    ]),
  );
  expect(await validate(['a.yaml', 'b.json'])).toEqual({
    code: 0,
    stdout: '2 clients in 2 files: 0 problems, 0 warnings\n',
    stderr: '',
  });
});

test('each problem is a line with file, line and field; the exit code is 1', async () => {
  await file('a.yaml', VALID);
  await file('bad.yaml', 'client_nam: B\nredirect_uris:\n  - https://b.example/\n  - http://b.example/#x\n');
  expect(await validate(['a.yaml', 'bad.yaml'])).toEqual({
    code: 1,
    stdout: [
      "bad.yaml:1: /client_nam: 'client_nam' is not a field of a client; did you mean client_name?",
      'bad.yaml:1: /client_name: client_name is required',
      "bad.yaml:4: /redirect_uris/1: 'http://b.example/#x' must not have a fragment, not even an empty one (RFC 6749 section 3.1.2)",
      "bad.yaml:4: /redirect_uris/1: 'http://b.example/#x' must have the scheme https: http is for localhost, 127.0.0.0/8 and [::1] only (RFC 9700 section 2.6)",
      '',
    ].join('\n'),
    stderr: 'svccmd: 2 clients in 2 files: 4 problems, 0 warnings\n',
  });
});

test('--json gives the same as one document', async () => {
  await file('bad.yaml', `${VALID}colour: blue\n`);
  const { code, stdout, stderr } = await validate(['--json', 'bad.yaml']);
  expect(JSON.parse(stdout)).toEqual({
    valid: false,
    clients: 1,
    problems: [
      {
        file: 'bad.yaml',
        line: 6,
        field: '/colour',
        code: 'unknown_field',
        message: "'colour' is not a field of a client",
      },
    ],
    warnings: [],
  });
  expect([code, stderr]).toEqual([1, 'svccmd: 1 client in 1 file: 1 problem, 0 warnings\n']);
});

test('warnings are printed, and fail only with --strict', async () => {
  await file('a.yaml', VALID.replace('S256', 'none'));
  const warned = await validate(['a.yaml']);
  expect(warned.code).toBe(0);
  expect(warned.stdout).toMatch(
    /^a\.yaml:5: \/code_challenge_method: warning: .*\n1 client in 1 file: 0 problems, 1 warning\n$/,
  );
  expect((await validate(['--strict', 'a.yaml'])).code).toBe(1);
});

test('standard input is a file too', async () => {
  expect(await validate(['-'], VALID)).toMatchObject({ code: 0 });
  expect((await validate(['-'], 'a: [')).stdout).toMatch(/^-:1: /);
});

test('--features allows what a registry supports', async () => {
  await file('a.yaml', `${VALID}grant_types: [authorization_code, refresh_token]\n`);
  await file(
    'wide.json',
    JSON.stringify(supportedFeatures(extendCapabilities({ grant_types: ['refresh_token'] }))),
  );
  await file('default.json', JSON.stringify(supportedFeatures(DEFAULT_CAPABILITIES)));
  await file('other.json', '{}');
  expect((await validate(['--features', 'wide.json', 'a.yaml'])).code).toBe(0);
  expect((await validate(['--features', 'default.json', 'a.yaml'])).code).toBe(1);
  expect(await validate(['--features', 'other.json', 'a.yaml'])).toMatchObject({
    code: 1,
    stderr: 'svccmd: --features other.json: not a GET /client/features response: it has no fields\n',
  });
});

test('files that cannot be read are all named', async () => {
  await writeFile(join(folder, 'latin1.yaml'), Buffer.from([0xe9]));
  const args = ['client', 'validate', 'absent.yaml', 'latin1.yaml'];
  expect(await runInProcess(args, { cwd: folder })).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'svccmd: absent.yaml: cannot be read: the file does not exist\nsvccmd: latin1.yaml: cannot be read: it is not UTF-8\n',
  });
});

test('no file is a mistake in usage; the help shows a declaration', async () => {
  expect((await validate([])).code).toBe(2);
  const help = await validate(['--help']);
  expect([help.code, help.stdout]).toEqual([0, expect.stringContaining('client_name: My application')]);
});

test('control characters of a file do not reach the terminal', async () => {
  await file('a.yaml', `${VALID}"evil\\e[31m\\u202e": 1\n`);
  const { stdout } = await validate(['a.yaml']);
  expect(stdout).not.toMatch(/[\x1b\u202e]/);
});

test('YAML has a lower limit than NDJSON, which the error suggests', async () => {
  await writeFile(join(folder, 'large.yaml'), `# ${'x'.repeat(16 * 1024 * 1024)}\n`);
  expect(await validate(['large.yaml'])).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'svccmd: large.yaml: cannot be read: the YAML and JSON declarations exceed 16 MiB in total; write them as .ndjson, one per line\n',
  });
  await writeFile(join(folder, 'large.ndjson'), `{"client_name": "${'x'.repeat(16 * 1024 * 1024)}"}\n`);
  expect((await validate(['large.ndjson'])).stderr).not.toContain('MiB');
  expect((await validate(['--features', 'large.yaml', 'a.yaml'])).stderr).toBe(
    'svccmd: --features large.yaml: it is larger than 16 MiB\n',
  );
});

test('secrets are valid where the registry imports them, and are never printed', async () => {
  const features = { ...supportedFeatures(DEFAULT_CAPABILITIES), secret_import: { hashes: ['bcrypt'] } };
  await file('features.json', JSON.stringify(features));
  await file('a.yaml', `${VALID}client_secret: kept-from-before\n`);
  expect(await validate(['--features', 'features.json', 'a.yaml'])).toMatchObject({ code: 0, stderr: '' });
  const refused = await validate(['a.yaml']);
  expect([refused.code, refused.stdout]).toEqual([
    1,
    expect.stringContaining('a.yaml:6: /client_secret: client_secret is generated by the registry'),
  ]);
  expect(refused.stdout).not.toContain('kept-from-before');
});
