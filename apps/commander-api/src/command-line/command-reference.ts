import type { Command } from 'commander';
import type { CommandContext, CommandEntry } from './command-context.js';
import { buildProgram } from './program.js';

const WIDTH = 100;

const PREAMBLE = `# svccmd: every command

What \`--help\` prints, in one page. [svccmd.md](svccmd.md) covers what all commands have in common.
`;

/** The help of the program and of every command below it, as a page in Markdown. */
export async function commandReference(
  commands: readonly CommandEntry[],
  context: CommandContext,
): Promise<string> {
  const sections = [await sectionsFrom([])];
  for (const { name } of commands) sections.push(await sectionsFrom([name]));
  return [PREAMBLE, ...sections.flat()].join('\n');

  /** Only the command that is named is loaded, as in any run. */
  async function sectionsFrom(argv: readonly string[]): Promise<string[]> {
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
      return `## ${nameOf(command)}\n\n\`\`\`text\n${written.join('').trimEnd()}\n\`\`\`\n`;
    });
  }
}

function withAllBelow(program: Command, name: string | undefined): Command[] {
  const collect = (command: Command): Command[] => [command, ...command.commands.flatMap(collect)];
  return program.commands.filter((command) => command.name() === name).flatMap(collect);
}

function nameOf(command: Command): string {
  return command.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();
}
