import type { Command, Option } from 'commander';

/** An option as a completion sees it. */
export interface CompletedOption {
  /** Such as `-g` and `--gzip`. */
  readonly flags: readonly string[];
  readonly description: string;
  /** True when the next word is its value. */
  readonly takesValue: boolean;
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
  /** True when one of its arguments can also be something else, such as a file. */
  readonly takesOthers: boolean;
}

/** A command and the words that lead to it, such as `library load`; empty for the program itself. */
export interface CompletedPath extends CompletionTree {
  readonly path: string;
}

/** What the tree adds to the commands' own options and arguments. */
export interface Extras {
  /** Options that every command accepts. */
  readonly options: readonly CompletedOption[];
  /** Names of libraries, for arguments called `library`. */
  readonly libraries: readonly string[];
}

export function treeOf(command: Command, extras: Extras): CompletionTree {
  const own = command.options.map(toOption);
  const flags = new Set(own.flatMap((option) => option.flags));
  const sets = command.registeredArguments.map((argument) =>
    argument.name() === 'library' ? extras.libraries : argument.argChoices,
  );
  return {
    name: command.name(),
    description: firstSentence(command.description()),
    options: [...own, ...extras.options.filter((option) => !option.flags.some((flag) => flags.has(flag)))],
    children: childrenOf(command, extras),
    choices: sets.flatMap((set) => set ?? []),
    takesOthers: sets.includes(undefined),
  };
}

/** Includes `help` where the parser adds it; its choices are the other subcommands. */
function childrenOf(command: Command, extras: Extras): CompletionTree[] {
  const names = command.commands.map((child) => child.name());
  return command
    .createHelp()
    .visibleCommands(command)
    .map((child) =>
      command.commands.includes(child)
        ? treeOf(child, extras)
        : {
            name: child.name(),
            description: child.description(),
            options: [],
            children: [],
            choices: names,
            takesOthers: false,
          },
    );
}

/** A flag that takes a value, with its command. */
export interface ValuePlace {
  /** Such as `client export --format`; starts with a space for a flag of the program itself. */
  readonly words: string;
  readonly choices: readonly string[];
}

/** Every flag of every option that takes a value. */
export function valuePlacesOf(tree: CompletionTree): ValuePlace[] {
  return pathsOf(tree).flatMap(({ path, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .flatMap(({ flags, choices }) => flags.map((flag) => ({ words: `${path} ${flag}`, choices }))),
  );
}

/** The tree and all below it. */
export function pathsOf(tree: CompletionTree, path = ''): CompletedPath[] {
  const below = tree.children.flatMap((child) =>
    pathsOf(child, path === '' ? child.name : `${path} ${child.name}`),
  );
  return [{ ...tree, path }, ...below];
}

function toOption({ short, long, description, required, argChoices = [] }: Option): CompletedOption {
  const flags = [short, long].filter((flag) => flag !== undefined);
  return { flags, description: firstSentence(description), takesValue: required, choices: argChoices };
}

/** Short enough to stand beside a name in a list. */
function firstSentence(text: string): string {
  return text.split(/ \(|[.;:](?:\s|$)/)[0] ?? '';
}
