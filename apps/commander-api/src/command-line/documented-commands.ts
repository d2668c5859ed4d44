import type { Command } from 'commander';
import type { CommandContext, CommandEntry } from './command-context.js';
import { buildProgram } from './program.js';

/** A command, and its help as `--help` prints it. */
export interface DocumentedCommand {
  readonly command: Command;
  readonly help: string;
}

/** In columns. */
const WIDTH = 100;

/** The program and every command below it, in the order of its help. */
export async function documentedCommands(
  commands: readonly CommandEntry[],
  context: CommandContext,
): Promise<DocumentedCommand[]> {
  const documented = await documentedFrom([]);
  for (const { name } of commands) documented.push(...(await documentedFrom([name])));
  return documented;

  /** Only the command that is named is loaded, as in any run. */
  async function documentedFrom(argv: readonly string[]): Promise<DocumentedCommand[]> {
    const written: string[] = [];
    const program = await buildProgram(
      commands,
      argv,
      context,
      { json: false, quiet: false, configFile: undefined },
      { version: '', writeOut: (text) => written.push(text), writeErr: () => undefined, helpWidth: WIDTH },
    );
    const chosen = argv.length === 0 ? [program] : withAllBelow(program, argv[0]);
    return chosen.map((command) => {
      written.length = 0;
      command.outputHelp();
      return { command, help: written.join('') };
    });
  }
}

function withAllBelow(program: Command, name: string | undefined): Command[] {
  const collect = (command: Command): Command[] => [command, ...command.commands.flatMap(collect)];
  return program.commands.filter((command) => command.name() === name).flatMap(collect);
}

/** The words that run it, such as `svccmd library load`. */
export function fullName(command: Command): string {
  return command.parent ? `${fullName(command.parent)} ${command.name()}` : command.name();
}
