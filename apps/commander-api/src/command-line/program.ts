import { Command, type CommanderError as ParserError, type OutputConfiguration } from 'commander';
import type { CommandContext, CommandEntry, GlobalSettings } from './command-context.js';
import { examplesText } from './command-examples.js';
import { EXIT } from '../errors/commander-error.js';

/** What the program prints by itself: the version, and help. */
export interface ProgramOutput {
  readonly version: string;
  readonly writeOut: (text: string) => void;
  readonly writeErr: (text: string) => void;
  /** In columns; that of the terminal when absent. */
  readonly helpWidth?: number;
}

const AFTER_HELP = `
Exit codes:
  ${EXIT.ok}  done
  ${EXIT.failed}  failed; standard error says why, in lines that begin with "svccmd:"
  ${EXIT.usage}  the command line is not right
  ${EXIT.configuration}  the configuration is not right
  ${EXIT.unreachable}  a server cannot be reached

Settings come from the configuration file and from SVCCMD_<SECTION>_<KEY>; "svccmd config" shows them.`;

/**
 * The command line as commander sees it. Only the command that `argv` names is loaded; of the others just the name and
 * the description are there, for the help and for suggestions.
 *
 * @param argv arguments less the interpreter and the script
 */
export async function buildProgram(
  commands: readonly CommandEntry[],
  argv: readonly string[],
  context: CommandContext,
  settings: GlobalSettings,
  { version, writeOut, writeErr, helpWidth }: ProgramOutput,
): Promise<Command> {
  const program = new Command('svccmd')
    .description('Encrypts passwords, loads libraries, generates IP lookups and keeps Clients.')
    .usage('[-c <config_file>] [--json] [--quiet] <command> [arguments]')
    .option(
      '-c, --config <config_file>',
      'configuration file, INI or YAML by extension (before the command only)',
    )
    .version(version, '-V, --version', 'print the version')
    .enablePositionalOptions()
    .addHelpText('after', AFTER_HELP);
  program.on('option:config', (file: string) => (settings.configFile = file));
  const invoked = invokedCommand(argv);
  for (const entry of commands) {
    const command = entry.name === invoked ? await entry.load(context, settings) : new Command(entry.name);
    program.addCommand(command.summary(entry.description));
  }
  adopt(program, settings, {
    writeOut,
    writeErr,
    outputError: () => undefined,
    ...(helpWidth !== undefined && { getOutHelpWidth: () => helpWidth }),
  });
  return program;
}

/** The first word that is neither an option nor the value of `-c`; for `svccmd help X` it is X. */
export function invokedCommand(argv: readonly string[]): string | undefined {
  let index = 0;
  for (; index < argv.length; index += 1) {
    const word = argv[index]!;
    if (word === '-c' || word === '--config') index += 1;
    else if (!word.startsWith('-')) break;
  }
  return argv[index] === 'help' ? argv[index + 1] : argv[index];
}

/**
 * Gives a command and all below it the same conduct: errors are thrown, never printed, the global flags work, and the
 * help ends with examples.
 */
function adopt(command: Command, settings: GlobalSettings, output: OutputConfiguration, path = ''): void {
  command
    .exitOverride((fault) => {
      throw new UsageError(fault, `svccmd ${path}`.trim());
    })
    .configureOutput(output)
    .addHelpText('after', examplesText(path));
  addFlag(command, settings, 'json', 'print the result as JSON');
  addFlag(command, settings, 'quiet', 'print no progress and no notes');
  for (const child of command.commands) adopt(child, settings, output, `${path} ${child.name()}`.trim());
}

function addFlag(
  command: Command,
  settings: GlobalSettings,
  name: 'json' | 'quiet',
  description: string,
): void {
  if (command.options.some((option) => option.long === `--${name}`)) return;
  command.option(`--${name}`, description);
  command.on(`option:${name}`, () => (settings[name] = true));
}

/** The parser ends the run: the command line is not right, or help or the version was asked for. */
export class UsageError extends Error {
  override readonly name = 'UsageError';

  /** @param path the words that lead to the command whose usage it is, such as `svccmd library` */
  constructor(
    readonly fault: ParserError,
    readonly path: string,
  ) {
    super(fault.message, { cause: fault });
  }
}
