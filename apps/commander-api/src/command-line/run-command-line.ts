import { escapeControls } from '@svc/foundation';
import type { CommanderConfig } from '../config/commander-config.js';
import type { Environment } from '@svc/foundation/config';
import { readCommanderConfig } from '../config/read-commander-config.js';
import type { CommandContext, CommandEntry, GlobalSettings } from './command-context.js';
import type { Command } from 'commander';
import { CommanderError, EXIT } from '../errors/commander-error.js';
import { buildProgram, UsageError } from './program.js';
import { type StandardStreams, Terminal } from './terminal.js';

/** A command line and what it runs with; relative paths are relative to the process's working folder. */
export interface CommandLine extends StandardStreams {
  /** Arguments without the interpreter and the script. */
  readonly argv: readonly string[];
  readonly commands: readonly CommandEntry[];
  readonly version: string;
  /** Overrides the configuration file; with `SVCCMD_DEBUG=1` unexpected errors print their stack trace. */
  readonly env: Environment;
  readonly signal: AbortSignal;
}

/**
 * Runs one command line to its end, without ending the process or using its streams and environment. Never rejects: every
 * error is printed on standard error and becomes an exit code.
 *
 * @returns undefined if the command stopped because `line.signal` was aborted
 */
export async function runCommandLine(line: CommandLine): Promise<number | undefined> {
  const terminal = new Terminal(line.stdout, line.stderr);
  const settings = settingsOf(terminal);
  try {
    const context = contextOf(line, terminal, settings);
    const program = await buildProgram(line.commands, line.argv, context, settings, {
      version: line.version,
      writeOut: (text) => line.stdout.write(text),
      writeErr: (text) => line.stderr.write(text),
    });
    await program.parseAsync(resolveHelpArgs(program, line.argv), { from: 'user' });
    return EXIT.ok;
  } catch (error) {
    return error instanceof UsageError
      ? reportUsage(error, terminal, settings)
      : report(error, terminal, line);
  }
}

function settingsOf(terminal: Terminal): GlobalSettings {
  return {
    configFile: undefined,
    get json() {
      return terminal.json;
    },
    set json(on) {
      terminal.json = on;
    },
    get quiet() {
      return terminal.quiet;
    },
    set quiet(on) {
      terminal.quiet = on;
    },
  };
}

function contextOf(line: CommandLine, terminal: Terminal, settings: GlobalSettings): CommandContext {
  let config: CommanderConfig | undefined;
  return {
    env: line.env,
    stdin: line.stdin,
    stdout: line.stdout,
    stderr: line.stderr,
    config: () => (config ??= readCommanderConfig(settings.configFile, line.env)),
    answer: ({ text, value, raw = false }) => terminal.answer(text, value, raw),
    note: (text) => terminal.note(text),
    get interactive() {
      return terminal.interactive;
    },
    signal: line.signal,
  };
}

/** Prints the error and returns the exit code. After a signal or a closed pipe the error is only a consequence. */
function report(error: unknown, terminal: Terminal, line: CommandLine): number | undefined {
  if (line.signal.aborted) {
    if (error instanceof CommanderError && error.outcomeUnknown) terminal.error(error.message);
    return undefined;
  }
  if (isClosedPipe(error)) return EXIT.ok;
  if (error instanceof CommanderError) {
    terminal.error(error.message);
  } else {
    terminal.error((error instanceof Error ? error.message : String(error)).replaceAll('\n', ' '));
  }
  if (line.env['SVCCMD_DEBUG'] === '1' && error instanceof Error)
    line.stderr.write(`${escapeControls(error.stack ?? '')}\n`);
  return error instanceof CommanderError ? error.exitCode : EXIT.failed;
}

function reportUsage(
  { parserError, path }: UsageError,
  terminal: Terminal,
  { configFile }: GlobalSettings,
): number {
  if (parserError.exitCode === 0) return EXIT.ok;
  const reason = parserError.message
    .replace(/^error: /, '')
    .replaceAll('\n', ' ')
    .replace(/\.$/, '');
  const remedy = `see ${path} --help`;
  if (parserError.code === 'commander.help') {
    const taken = configFile === undefined ? '' : ` ('${configFile}' was taken as the file for -c)`;
    terminal.error(`no command given${taken}; ${remedy}`);
  } else if (/^unknown option '-(c|-config)'/.test(reason)) {
    terminal.error(`${reason} (the global -c <config_file> goes before the command); ${remedy}`);
  } else {
    terminal.error(`${reason}; ${remedy}`);
  }
  return EXIT.usage;
}

function isClosedPipe(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EPIPE';
}

/**
 * The arguments to parse. If help is requested for an unknown command, only those up to its name: the parser would
 * otherwise print the parent command's help and exit with success.
 */
function resolveHelpArgs(program: Command, argv: readonly string[]): string[] {
  const isHelp = argv.some((word) => word === '--help' || word === '-h' || word === 'help');
  if (!isHelp) return [...argv];
  const path: string[] = [];
  let command = program;
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index]!;
    if (word.startsWith('-')) {
      if (takesValue(command, word)) index += 1;
      continue;
    }
    if (word === 'help') continue;
    const next = command.commands.find((child) => child.name() === word);
    if (!next && isGroup(command)) return [...path, word];
    if (!next) break;
    path.push(word);
    command = next;
  }
  return [...argv];
}

/** A command that only has subcommands. */
function isGroup(command: Command): boolean {
  return command.commands.length > 0 && command.registeredArguments.length === 0;
}

function takesValue(command: Command, flag: string): boolean {
  return command.options.some(({ short, long, required }) => required && (flag === short || flag === long));
}
