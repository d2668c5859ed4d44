import type { Command, Option } from 'commander';

/** An option as a completion sees it. */
export interface CompletedOption {
  /** Such as `-g` and `--gzip`. */
  readonly flags: readonly string[];
  readonly description: string;
  /** The values it takes, where they are a closed set. */
  readonly choices: readonly string[];
}

/** A command as a completion sees it. */
export interface CompletionTree {
  readonly name: string;
  readonly description: string;
  readonly options: readonly CompletedOption[];
  readonly children: readonly CompletionTree[];
  /** What its arguments can be, where that is a closed set. */
  readonly choices: readonly string[];
}

/** A command under the words that lead to it, such as `library load`; the program's own are none. */
export interface CompletedPath extends CompletionTree {
  readonly path: string;
}

/** Every command has the options that the program gives to all. */
export function treeOf(command: Command, shared: readonly CompletedOption[]): CompletionTree {
  const own = command.options.map(toOption);
  const flags = new Set(own.flatMap((option) => option.flags));
  return {
    name: command.name(),
    description: firstSentence(command.description()),
    options: [...own, ...shared.filter((option) => !option.flags.some((flag) => flags.has(flag)))],
    children: command.commands.map((child) => treeOf(child, shared)),
    choices: command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices),
  };
}

/** The tree and all below it. */
export function pathsOf(tree: CompletionTree, path = ''): CompletedPath[] {
  const below = tree.children.flatMap((child) =>
    pathsOf(child, path === '' ? child.name : `${path} ${child.name}`),
  );
  return [{ ...tree, path }, ...below];
}

function toOption({ short, long, description, argChoices = [] }: Option): CompletedOption {
  const flags = [short, long].filter((flag) => flag !== undefined);
  return { flags, description: firstSentence(description), choices: argChoices };
}

/** What fits beside a name in a list. */
function firstSentence(text: string): string {
  return text.split(/ \(|[.;:](?:\s|$)/)[0] ?? '';
}
