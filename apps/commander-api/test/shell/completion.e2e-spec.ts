import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInProcess } from './run-in-process.js';

let folder: string;

/** The script of a shell, in a file. */
async function scriptFor(shell: string): Promise<string> {
  const { code, stdout, stderr } = await runInProcess([
    '-c',
    join(folder, 'svccmd.conf'),
    'completion',
    shell,
  ]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const file = join(folder, `svccmd.${shell}`);
  writeFileSync(file, stdout);
  return file;
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svccmd-completion-'));
  writeFileSync(join(folder, 'svccmd.conf'), '[library:parsers]\n');
  mkdirSync(join(folder, 'here'));
  writeFileSync(join(folder, 'here', 'my-file.yaml'), '');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** What is typed, and what it becomes. */
const CASES = [
  ['a command', 'svccmd enc', 'svccmd encpwd'],
  ['a subcommand', 'svccmd library loa', 'svccmd library load'],
  ['an option, after global ones', 'svccmd -c x.conf --json library load --dry', '--dry-run'],
  ['the value of an option', 'svccmd client export --format ya', 'yaml'],
  ['an argument of a closed set', 'svccmd completion fi', 'fish'],
  ['a configured library', 'svccmd library load pars', 'parsers'],
  ['a folder beside libraries', 'svccmd library validate my-f', 'my-file.yaml'],
  ['the help', 'svccmd hel', 'help'],
  ['a command of which help is asked', 'svccmd help libr', 'library'],
  ['a command behind a file of the name of one', 'svccmd -c library enc', 'encpwd'],
  ['an option behind the value of another', 'svccmd encpwd --key-file client --rot', '--rotate'],
  ['the name of a file', 'svccmd client apply my-f', 'my-file.yaml'],
  ['one for nothing typed', 'svccmd client apply ', 'my-file.yaml'],
  ['the file that an option takes', 'svccmd encpwd --key-file my', 'my-file.yaml'],
  ['that, for nothing typed', 'svccmd encpwd --key-file ', 'my-file.yaml'],
  ['the configuration file', 'svccmd -c ', 'my-file.yaml'],
] as const;
/** Bash itself does so where the script has no word (complete -o default). */
const isFile = (completed: string): boolean => completed === 'my-file.yaml';
const lastWord = (line: string): string => line.split(' ').at(-1) ?? '';

test('bash completes all of it', async () => {
  const script = await scriptFor('bash');
  const complete = (line: string) =>
    execFileSync(
      'bash',
      [
        '--norc',
        '-c',
        'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _svccmd; echo "${COMPREPLY[*]}"',
        'bash',
        script,
        ...line.split(' '),
      ],
      { encoding: 'utf8' },
    ).trim();
  expect(CASES.map(([what, typed]) => [what, complete(typed)])).toEqual(
    CASES.map(([what, , completed]) => [what, isFile(completed) ? '' : lastWord(completed)]),
  );
  expect(complete('svccmd client ').split(' ')).toEqual(
    expect.arrayContaining(['validate', 'apply', 'help']),
  );
  expect(complete('svccmd client export --format = y')).toBe('yaml');
});

test('fish completes everything, with descriptions', async () => {
  const script = await scriptFor('fish');
  const complete = (line: string) =>
    execFileSync('fish', ['--no-config', '-c', 'source $argv[1]; complete -C $argv[2]', script, line], {
      encoding: 'utf8',
      cwd: join(folder, 'here'),
      env: { PATH: process.env['PATH'], HOME: folder },
    }).trim();
  expect(CASES.map(([, typed]) => complete(typed).split('\t')[0])).toEqual(
    CASES.map(([, , completed]) => lastWord(completed)),
  );
  expect(complete('svccmd enc')).toBe(
    'encpwd\tEncrypt a password for configuration files with the key in pwdencryptor.key, or seal it to public keys',
  );
});

test('zsh completes all of it', async () => {
  const script = await scriptFor('zsh');
  writeFileSync(
    join(folder, '.zshrc'),
    `autoload -Uz compinit\ncompinit -u -d ${folder}/dump\nsource ${script}\n`,
  );
  // Each line is completed by the tab key, and printed by what is typed around it.
  const keys = CASES.map(([, typed]) => `${typed}\t\u0001print -r -- "DONE: \u0005"\n`);
  const screen = await onTerminal(['/usr/bin/zsh', '-i'], [...keys, 'exit\n']);
  const completed = [...screen.matchAll(/^DONE: (.*?)\s*$/gm)].map(([, line]) => lastWord(line ?? ''));
  expect(completed).toEqual(CASES.map(([, , expected]) => lastWord(expected)));
});

test.each(['bash', 'zsh', 'fish'])('%s accepts the script', async (shell) => {
  execFileSync(shell, ['-n', await scriptFor(shell)]);
});

/** Types keys into a program on a terminal, all ahead of it; gives what the screen showed. */
async function onTerminal(program: readonly string[], keys: readonly string[]): Promise<string> {
  const child = spawn('/usr/bin/python3', ['-c', 'import pty, sys; pty.spawn(sys.argv[1:])', ...program], {
    cwd: join(folder, 'here'),
    env: { PATH: process.env['PATH'], HOME: folder, ZDOTDIR: folder, TERM: 'dumb' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let screen = '';
  child.stdout.on('data', (chunk: Buffer) => (screen += chunk.toString()));
  child.stdin.write(keys.join(''));
  await new Promise((resolve) => child.once('close', resolve));
  return screen;
}
