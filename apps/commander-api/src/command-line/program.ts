import { Command, type CommanderError as ParserError, type OutputConfiguration } from 'commander';
import type { CommandContext, CommandEntry, GlobalSettings } from './command-context.js';
import { examplesText } from './command-examples.js';
import { EXIT } from '../errors/commander-error.js';

/** What the program itself prints: the version and help. */
export interface ProgramOutput {
  readonly version: string;
  readonly writeOut: (text: string) => void;
  readonly writeErr: (text: string) => void;
  /** In columns; the terminal's width when absent. */
  readonly helpWidth?: number;
}

const AFTER_HELP = `
Exit codes:
  ${EXIT.ok}  success
  ${EXIT.failed}  failure; the reason is on standard error, on lines that start with "svccmd:"
  ${EXIT.usage}  invalid command line
  ${EXIT.configuration}  invalid configuration
  ${EXIT.unreachable}  a server is unreachable

Settings come from the configuration file and SVCCMD_<SECTION>_<KEY> variables; see "svccmd config".`;

/**
 * Builds the command line for commander. Only the command named in `argv` is loaded; of all others, just the name and the
 * description, for help and suggestions.
 *
 * @param argv arguments without the interpreter and the script
 */
export async function buildProgram(
  commands: readonly CommandEntry[],
  argv: readonly string[],
  context: CommandContext,
  settings: GlobalSettings,
  { version, writeOut, writeErr, helpWidth }: ProgramOutput,
): Promise<Command> {
  const program = new Command('svccmd')
    .description('Encrypt passwords, load libraries, generate IP lookups and manage OAuth clients.')
    .usage('[-c <config_file>] [--json] [--quiet] <command> [arguments]')
    .option(
      '-c, --config <config_file>',
      'configuration file, INI or YAML by its extension; must come before the command',
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
 * Sets up a command and its subcommands: errors are thrown, never printed, global flags work, and help ends with
 * examples.
 */
function adopt(command: Command, settings: GlobalSettings, output: OutputConfiguration, path = ''): void {
  command
    .exitOverride((error) => {
      throw new UsageError(error, `svccmd ${path}`.trim());
    })
    .configureOutput(output)
    .addHelpText('after', examplesText(path));
  addFlag(command, settings, 'json', 'print the result as JSON');
  addFlag(command, settings, 'quiet', 'suppress progress and notes');
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

/** The parser ended the run: the command line is invalid, or asked for help or the version. */
export class UsageError extends Error {
  override readonly name = 'UsageError';

  /** @param path the command's full name, such as `svccmd library` */
  constructor(
    readonly parserError: ParserError,
    readonly path: string,
  ) {
    super(parserError.message, { cause: parserError });
  }
}
