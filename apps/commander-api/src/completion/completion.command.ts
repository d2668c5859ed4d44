import { Argument, Command } from 'commander';
import type { CommandContext, CommandEntry } from '../command-line/command-context.js';
import { CommanderError } from '../errors/commander-error.js';
import {
  type CompletedOption,
  type CompletionTree,
  treeOf,
  pathsOf,
  valuePlacesOf,
} from './completion-tree.js';
import { fishCompletion } from './fish-completion.js';
import { zshCompletion } from './zsh-completion.js';

const SHELLS: Readonly<Record<string, (tree: CompletionTree) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};

/** The global options of every command. */
const SHARED: readonly CompletedOption[] = [
  { flags: ['--json'], description: 'print the result as JSON', takesValue: false, choices: [] },
  { flags: ['--quiet'], description: 'suppress progress and notes', takesValue: false, choices: [] },
  { flags: ['-h', '--help'], description: 'display help for command', takesValue: false, choices: [] },
];

/** @param commands to complete: all are loaded when the script is printed, so that completing never starts svccmd */
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
  return treeOf(program, { options: SHARED, libraries: libraryNames(context) });
}

/** Those configured when the script is printed; none if the configuration is invalid, since the rest is still useful. */
function libraryNames({ config }: CommandContext): string[] {
  try {
    return config().libraries.flatMap(({ name }) => name ?? []);
  } catch (error) {
    if (error instanceof CommanderError) return [];
    throw error;
  }
}

/** A copy without a parent, since the running command already has one. */
function bare(command: Command): Command {
  const copy = new Command(command.name()).description(command.description());
  for (const argument of command.registeredArguments) copy.addArgument(argument);
  return copy;
}

/**
 * A script for bash. Its words are fixed, so that a key press starts no process. Where none matches, bash completes file
 * names.
 */
function bashCompletion(tree: CompletionTree): string {
  const paths = pathsOf(tree);
  const known = paths.flatMap(({ path }) => (path === '' ? [] : [`"${path}"`])).join(' | ');
  const cases = paths.map(({ path, children, choices, options }) => {
    const words = [...children.map(({ name }) => name), ...choices].join(' ');
    const flags = options.flatMap((option) => option.flags).join(' ');
    return `    "${path}") words="${words}" options="${flags}" ;;`;
  });
  const places = valuePlacesOf(tree);
  const values = places
    .filter(({ choices }) => choices.length > 0)
    .map(({ words, choices }) => `    "${words}") words="${choices.join(' ')}" ;;`);
  return `# Completion of ${tree.name} for bash: source <(${tree.name} completion bash)
_${tree.name}() {
  local path="" valued="" word words="" options="" current="\${COMP_WORDS[COMP_CWORD]}"
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if [[ -n $valued ]]; then
      [[ $word == "=" ]] || valued=""
      continue
    fi
    case "$path $word" in
      ${places.map(({ words }) => `"${words}"`).join(' | ')}) valued="$path $word" ;;
    esac
    case "\${path:+$path }$word" in
      ${known}) path="\${path:+$path }$word" ;;
    esac
  done
  if [[ -n $valued ]]; then
    case "$valued" in
${values.join('\n')}
    esac
  else
    case "$path" in
${cases.join('\n')}
    esac
    [[ $current == -* ]] && words="$options"
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _${tree.name} ${tree.name}
`;
}
