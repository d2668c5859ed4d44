import { Argument, Command } from 'commander';
import type { CommandContext } from './command-context.js';
import type { CommandEntry } from './command-table.js';
import { bashCompletion, type CompletionTree } from './bash-completion.js';

const AFTER_HELP = `
For bash, in ~/.bashrc:
  source <(svccmd completion bash)`;

/** @param commands what to complete: all of it is loaded here, so that completing itself starts no svccmd */
export function completionCommand(context: CommandContext, commands: readonly CommandEntry[]): Command {
  return new Command('completion')
    .description('Prints a script that completes commands and options in a shell.')
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash']))
    .addHelpText('after', AFTER_HELP)
    .action(async () => {
      const settings = { json: false, quiet: false, configFile: undefined };
      const trees = commands.map(async (entry) =>
        entry.name === 'completion' ? new Command(entry.name) : entry.load(context, settings),
      );
      const tree = treeOf('svccmd', await Promise.all(trees), ['-c', '--config', '--version']);
      const script = bashCompletion(tree);
      context.answer({ text: script, value: { shell: 'bash', script }, raw: true });
    });
}

function treeOf(name: string, commands: readonly Command[], options: readonly string[]): CompletionTree {
  const children = commands.map((command) =>
    treeOf(
      command.name(),
      command.commands,
      command.options.map(({ long, short }) => long ?? short ?? ''),
    ),
  );
  return { name, children, options: [...new Set([...options, '--json', '--quiet', '--help'])] };
}
