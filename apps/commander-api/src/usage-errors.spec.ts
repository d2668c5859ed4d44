import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInProcess } from '../test/shell/run-in-process.js';
import { EXIT } from './errors/commander-error.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svccmd-usage-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function refusalOf(argv: readonly string[]) {
  const { code, stdout, stderr } = await runInProcess(argv);
  return { exitCode: code, out: stdout, err: stderr };
}

/** The words, and the one line that refuses them. */
const USAGE: readonly (readonly [line: string, refusal: string])[] = [
  ['encpw', "unknown command 'encpw' (Did you mean encpwd?); see svccmd --help"],
  ['encpw --help', "unknown command 'encpw' (Did you mean encpwd?); see svccmd --help"],
  ['--help encpw', "unknown command 'encpw' (Did you mean encpwd?); see svccmd --help"],
  ['help nonsense', "unknown command 'nonsense'; see svccmd --help"],
  ['-c a.conf --json hlep', "unknown command 'hlep' (Did you mean help?); see svccmd --help"],
  ['library laod', "unknown command 'laod' (Did you mean load?); see svccmd library --help"],
  ['library laod -h', "unknown command 'laod' (Did you mean load?); see svccmd library --help"],
  ['help library laod', "unknown command 'laod' (Did you mean load?); see svccmd library --help"],
  ['--jsn config', "unknown option '--jsn' (Did you mean --json?); see svccmd --help"],
  ['client list --bogus', "unknown option '--bogus'; see svccmd client list --help"],
  [
    'library load -c a.conf',
    "unknown option '-c' (the global -c <config_file> goes before the command); see svccmd library load --help",
  ],
  ['-c', "option '-c, --config <config_file>' argument missing; see svccmd --help"],
  ['client apply', "missing required argument 'files'; see svccmd client apply --help"],
  ['client get', "missing required argument 'client_id'; see svccmd client get --help"],
  [
    'client get a b',
    "too many arguments for 'get'. Expected 1 argument but got 2; see svccmd client get --help",
  ],
  [
    'config nonsense',
    "too many arguments for 'config'. Expected 0 arguments but got 1; see svccmd config --help",
  ],
  [
    'client export --format xml',
    "option '--format <format>' argument 'xml' is invalid. Allowed choices are yaml, json, ndjson; see svccmd client export --help",
  ],
  [
    'client list --limit 0',
    "option '--limit <count>' argument '0' is invalid. It must be a number from 1 to 999999; see svccmd client list --help",
  ],
  [
    'client list --enabled --disabled',
    "option '--disabled' cannot be used with option '--enabled'; see svccmd client list --help",
  ],
  ['client apply --exit-code a.yaml', '--exit-code requires --dry-run'],
  [
    'encpwd --yaml --rotate a.yaml',
    '--rotate takes only files: no password, --yaml, --for or --recipient (use --to-recipient)',
  ],
  [
    'library diff --ref=',
    "option '--ref <ref>' argument '' is invalid. It must be a branch, tag or commit; see svccmd library diff --help",
  ],
  ['library load --source=', 'the source is empty; pass a folder or a Git URL'],
  ['library pull ', "missing required argument 'folder'; see svccmd library pull --help"],
  ['config init a.toml', 'a.toml: the extension must be .conf, .ini, .yaml or .yml'],
  [
    'completion tcsh',
    "command-argument value 'tcsh' is invalid for argument 'shell'. Allowed choices are bash, zsh, fish; see svccmd completion --help",
  ],
];

test.each(USAGE)('svccmd %s is refused in one line', async (line, refusal) => {
  expect(await refusalOf(line.split(' '))).toEqual({
    exitCode: EXIT.usage,
    out: '',
    err: `svccmd: ${refusal}\n`,
  });
});

/** The words, and the last line of standard error, below the help. */
const NO_COMMAND = [
  ['', 'no command given; see svccmd --help'],
  ['-c nope', "no command given ('nope' was taken as the file for -c); see svccmd --help"],
  ['client', 'no command given; see svccmd client --help'],
] as const;

test.each(NO_COMMAND)('svccmd %s shows the help and the missing part', async (line, refusal) => {
  const { exitCode, out, err } = await refusalOf(line === '' ? [] : line.split(' '));
  expect({ exitCode, out }).toEqual({ exitCode: EXIT.usage, out: '' });
  expect(err).toMatch(/^Usage: svccmd /);
  expect(err.split('\n').slice(-2)).toEqual([`svccmd: ${refusal}`, '']);
});

test('a file in a missing folder is rejected with the remedy', async () => {
  const file = join(folder, 'no', 'svccmd.conf');
  expect(await refusalOf(['config', 'init', file])).toEqual({
    exitCode: EXIT.failed,
    out: '',
    err: `svccmd: ${file}: cannot create the file (the folder does not exist: create it first)\n`,
  });
});

test('more Clients than the registry deletes at once are rejected before the request', async () => {
  const ids = Array.from({ length: 1_001 }, (_, index) => `client-${index}`);
  expect(await refusalOf(['client', 'delete', '--yes', ...ids])).toEqual({
    exitCode: EXIT.failed,
    out: '',
    err: 'svccmd: a single command deletes at most 1000 clients\n',
  });
});

test('a folder without declarations is reported with the accepted file types', async () => {
  expect(await refusalOf(['client', 'validate', folder])).toEqual({
    exitCode: EXIT.failed,
    out: '',
    err: `svccmd: ${folder}: cannot be read: the folder contains no .yaml, .yml, .json, .ndjson or .jsonl file\n`,
  });
});
