import { Command } from 'commander';
import { runInProcess } from '../../test/shell/run-in-process.js';
import type { CommandContext, CommandEntry } from './command-context.js';
import { CommanderError, EXIT } from '../errors/commander-error.js';

const entry = (name: string, build: (command: Command, context: CommandContext) => void): CommandEntry => ({
  name,
  description: `the line of ${name}`,
  load: async (context) => {
    const command = new Command(name);
    build(command, context);
    return command;
  },
});

const fails = (error: unknown) =>
  entry('try', (command) =>
    command.action(() => {
      throw error;
    }),
  );

async function run(argv: readonly string[], commands: readonly CommandEntry[], aborted = false) {
  const signal = aborted ? AbortSignal.abort() : new AbortController().signal;
  const { code, stdout, stderr } = await runInProcess(argv, { commands, signal });
  return { exitCode: code, out: stdout, err: stderr };
}

test('only the invoked command is loaded; the help lists all', async () => {
  const unloadable: CommandEntry = {
    name: 'other',
    description: 'the line of other',
    load: () => Promise.reject(new Error('loaded')),
  };
  const commands = [entry('this', (command) => command.action(() => undefined)), unloadable];
  expect(await run(['this'], commands)).toMatchObject({ exitCode: EXIT.ok, err: '' });
  const { out } = await run(['--help'], commands);
  expect(out).toContain('the line of this');
  expect(out).toContain('the line of other');
});

/** What reading the file says: it does not exist. */
const missingConfig = {
  exitCode: EXIT.configuration,
  err: expect.stringMatching(/^svccmd: \S+\/a\.conf: the configuration file cannot be read/),
};

test.each([
  ['-c', 'a.conf'],
  ['--config', 'a.conf'],
])('%s before the command names the configuration file', async (...option) => {
  const commands = [entry('show', (command, context) => command.action(() => void context.config()))];
  expect(await run([...option, 'show'], commands)).toMatchObject(missingConfig);
});

test("a command's own -c is its own", async () => {
  const given: unknown[] = [];
  const commands = [
    entry('convert', (command, context) =>
      command
        .argument('<file>')
        .option('-c, --column-names <names...>')
        .action((file, options) => {
          given.push(file, options);
          context.config();
        }),
    ),
  ];
  const ended = await run(['-c', 'a.conf', 'convert', 'f.csv', '-c', 'ip_from', 'ip_to'], commands);
  expect(given).toEqual(['f.csv', { columnNames: ['ip_from', 'ip_to'] }]);
  expect(ended).toMatchObject(missingConfig);
});

test('a -c after a command that has none is explained', async () => {
  const { exitCode, err } = await run(['show', '-c', 'a.conf'], [entry('show', () => undefined)]);
  expect(exitCode).toBe(EXIT.usage);
  expect(err).toMatch(
    /^svccmd: unknown option '-c' \(the global -c <config_file> goes before the command\).*\n$/,
  );
});

const answering = entry('ask', (command, context) =>
  command.addCommand(
    new Command('now').action(() => {
      context.note('thinking');
      context.answer({ text: 'it is \u001b[31m9', value: { hour: 9 } });
    }),
  ),
);

test('an answer goes to standard output and a note to standard error, without control characters', async () => {
  expect(await run(['ask', 'now'], [answering])).toMatchObject({
    out: 'it is \\u001b[31m9\n',
    err: 'thinking\n',
  });
});

test.each([[['--json', '--quiet', 'ask', 'now']], [['ask', 'now', '--json', '--quiet']]])(
  'the global flags stand before or after the command: %j',
  async (argv) => {
    const { out, err } = await run(argv, [answering]);
    expect(JSON.parse(out)).toEqual({ hour: 9 });
    expect(err).toBe('');
  },
);

test.each([
  [
    'an error that names its exit code',
    new CommanderError('unreachable', 'no route to zk:2181'),
    EXIT.unreachable,
    'svccmd: no route to zk:2181\n',
  ],
  [
    'several errors, a line each',
    new CommanderError('configuration', ['a.conf:1: x', 'a.conf:2: y']),
    EXIT.configuration,
    'svccmd: a.conf:1: x\nsvccmd: a.conf:2: y\n',
  ],
  ['a bug, on one line without its stack', new Error('first\nsecond'), EXIT.failed, 'svccmd: first second\n'],
  [
    'control characters in a message',
    new CommanderError('failed', 'no file \u001b]0;x\u0007'),
    EXIT.failed,
    'svccmd: no file \\u001b]0;x\\u0007\n',
  ],
  ['what is no error', 'thrown text', EXIT.failed, 'svccmd: thrown text\n'],
])('%s', async (_case, error, exitCode, err) => {
  expect(await run(['try', '--quiet'], [fails(error)])).toMatchObject({ exitCode, err, out: '' });
});

test('a closed pipe is not an error', async () => {
  const closed = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
  expect(await run(['try'], [fails(closed)])).toMatchObject({ exitCode: EXIT.ok, err: '' });
});

test('a command that rejects after a signal has no exit code and prints nothing', async () => {
  expect(await run(['try'], [fails(new Error('aborted'))], true)).toMatchObject({
    exitCode: undefined,
    err: '',
  });
});

test.each([
  [
    'a mistyped command',
    ['asc'],
    /^svccmd: unknown command 'asc' \(Did you mean ask\?\); see svccmd --help\n$/,
  ],
  [
    'a mistyped subcommand',
    ['ask', 'nwo'],
    /^svccmd: unknown command 'nwo' \(Did you mean now\?\); see svccmd ask --help\n$/,
  ],
  ['a mistyped option', ['ask', 'now', '--jsn'], /^svccmd: unknown option '--jsn' \(Did you mean --json\?\)/],
  ['an argument too many', ['ask', 'now', 'please'], /^svccmd: too many arguments for 'now'/],
  ['-c without a file', ['-c'], /^svccmd: option '-c, --config <config_file>' argument missing/],
])('%s is a usage error', async (_case, argv, message) => {
  const { exitCode, err } = await run(argv, [answering]);
  expect(exitCode).toBe(EXIT.usage);
  expect(err).toMatch(message);
});

test('without a command the help goes to standard error', async () => {
  const { exitCode, out, err } = await run([], [answering]);
  expect({ exitCode, out }).toEqual({ exitCode: EXIT.usage, out: '' });
  expect(err).toContain('Usage: svccmd');
});

test('a signal during a change is reported even though it determines the exit', async () => {
  const { exitCode, err } = await run(
    ['try'],
    [fails(new CommanderError('failed', 'it is not known', { outcomeUnknown: true }))],
    true,
  );
  expect({ exitCode, err }).toEqual({ exitCode: undefined, err: 'svccmd: it is not known\n' });
});

test.each([[['ask', '--help']], [['help', 'ask']], [['ask', 'help']]])(
  '%j prints the help of the command',
  async (argv) => {
    const { exitCode, out } = await run(argv, [answering]);
    expect(exitCode).toBe(EXIT.ok);
    expect(out).toMatch(/^Usage: svccmd ask/);
  },
);

test('--version prints the version alone', async () => {
  expect(await run(['--version'], [answering])).toMatchObject({ exitCode: EXIT.ok, out: '1.2.3\n', err: '' });
});
