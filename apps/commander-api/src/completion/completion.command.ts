import { Argument, Command } from 'commander';
import type { CommandContext, CommandEntry } from '../command-line/command-context.js';
import { bashCompletion } from './bash-completion.js';
import { type CompletedOption, type CompletionTree, treeOf } from './completion-tree.js';
import { fishCompletion } from './fish-completion.js';
import { zshCompletion } from './zsh-completion.js';

const SHELLS: Readonly<Record<string, (tree: CompletionTree) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};

/** What the program gives to every command. */
const SHARED: readonly CompletedOption[] = [
  { flags: ['--json'], description: 'print the result as JSON', takesValue: false, choices: [] },
  { flags: ['--quiet'], description: 'suppress progress and notes', takesValue: false, choices: [] },
  { flags: ['-h', '--help'], description: 'display help for command', takesValue: false, choices: [] },
];

/** @param commands what to complete: all of it is loaded here, so that completing itself starts no svccmd */
export function completionCommand(context: CommandContext, commands: readonly CommandEntry[]): Command {
  const completion: Command = new Command('completion')
    .description('Print a shell completion script for commands and options.')
    .addArgument(new Argument('<shell>', 'your shell').choices(Object.keys(SHELLS)))
    .action(async (shell: string) => {
      const script = SHELLS[shell]?.(await readTree(context, commands, completion)) ?? '';
      context.answer({ text: script, value: { shell, script }, raw: true });
    });
  return completion;
}

async function readTree(
  context: CommandContext,
  commands: readonly CommandEntry[],
  completion: Command,
): Promise<CompletionTree> {
  const settings = { json: false, quiet: false, configFile: undefined };
  const program = new Command('svccmd').option('-c, --config <config_file>', 'configuration file');
  program.option('-V, --version', 'print the version');
  for (const entry of commands) {
    program.addCommand(entry.name === 'completion' ? bare(completion) : await entry.load(context, settings));
  }
  return treeOf(program, SHARED);
}

/** The running command has a parent already. */
function bare(command: Command): Command {
  const copy = new Command(command.name()).description(command.description());
  for (const argument of command.registeredArguments) copy.addArgument(argument);
  return copy;
}
