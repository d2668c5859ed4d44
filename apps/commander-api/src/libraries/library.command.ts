import { Command, InvalidArgumentError, Option } from 'commander';
import type { CommandContext } from '../command-line/command-context.js';
import { SUBCOMMANDS_AS_USED } from '../command-line/subcommand-term.js';
import { CommanderError } from '../errors/commander-error.js';

/** Loaded when a command runs. */
const commands = async () => import('./run-library.js');

/** `svccmd library …` */
export function libraryCommand(context: CommandContext): Command {
  const library = new Command('library')
    .description(
      'Load a library of declarations into the coordination cluster (ZooKeeper), and manage it there.',
    )
    .configureHelp(SUBCOMMANDS_AS_USED);
  const children = [load, diff, validate, status, history, rollback, pull, watch];
  for (const child of children) library.addCommand(child(context));
  return library;
}

/** The argument that selects a library. Completion relies on its name. */
const LIBRARY = ['[library]', 'name of the library, if several are configured'] as const;

interface SourceFlags {
  readonly source?: string | undefined;
  readonly ref?: string | undefined;
}

interface LoadFlags extends SourceFlags {
  readonly dryRun?: boolean;
  readonly prune: boolean;
  readonly pruneAll?: boolean;
  readonly allowEmpty?: boolean;
  readonly wait?: number;
  readonly ifChanged?: boolean;
  readonly takeOver?: boolean;
  readonly allowOlder?: boolean;
  readonly createChroot?: boolean;
}

interface DiffFlags {
  readonly exitCode?: boolean;
  readonly format: 'text' | 'markdown';
}

interface RollbackFlags {
  readonly to?: number;
  readonly dryRun?: boolean;
  readonly wait?: number;
}

function load(context: CommandContext): Command {
  return sourceOptions(new Command('load'))
    .description(
      'Load the source into the destination. Only differences are written; what an earlier load created and the source no longer has is removed.',
    )
    .argument(...LIBRARY)
    .option('--dry-run', 'print what would be written, without writing anything')
    .option('--no-prune', 'do not remove anything')
    .addOption(
      new Option(
        '--prune-all',
        'also remove what no load created (except names that start with a dot)',
      ).conflicts('prune'),
    )
    .option('--allow-empty', 'accept an empty source, which empties the library')
    .option('--take-over', 'replace a library that came from another source (address or subfolder)')
    .option(
      '--allow-older',
      'with source.verify: accept a commit that does not descend from the one loaded last, and record that',
    )
    .option('--if-changed', 'do nothing if the source is at the revision of the last load')
    .option('--create-chroot', 'create the chroot in destination.urls if it does not exist')
    .addOption(waitOption())
    .action(async (name: string | undefined, flags: LoadFlags) =>
      (await commands()).load(context, name, toLoadRequest(flags)),
    );
}

function diff(context: CommandContext): Command {
  return sourceOptions(new Command('diff'))
    .description('Print what a load would change, without writing anything.')
    .argument(...LIBRARY)
    .option('--exit-code', 'exit with 1 if anything would change')
    .addOption(
      new Option('--format <format>', 'text, or Markdown for a comment on a merge request')
        .choices(['text', 'markdown'])
        .default('text'),
    )
    .action(async (name: string | undefined, flags: SourceFlags & DiffFlags) =>
      (await commands()).diff(context, name, flags),
    );
}

function validate(context: CommandContext): Command {
  return sourceOptions(new Command('validate'))
    .description('Validate a source as a load does, without a destination.')
    .argument(...LIBRARY)
    .argument('[folder]', 'a folder or Git URL to use instead of source.path')
    .action(async (first: string | undefined, second: string | undefined, flags: SourceFlags) =>
      (await commands()).validate(context, [first, second], flags),
    );
}

function status(context: CommandContext): Command {
  return new Command('status')
    .description('Show the last load into the destination, and whether one is in progress.')
    .argument(...LIBRARY)
    .option('--drift', 'read the library and list changes made since the last load')
    .action(async (name: string | undefined, flags: { drift?: boolean }) =>
      (await commands()).status(context, name, flags.drift ?? false),
    );
}

function history(context: CommandContext): Command {
  return new Command('history')
    .description('List the last ten loads, newest first.')
    .argument(...LIBRARY)
    .action(async (name: string | undefined) => (await commands()).history(context, name));
}

function rollback(context: CommandContext): Command {
  return new Command('rollback')
    .description(
      'Restore an earlier load from its copy in source.state_path or, for a Git source without a copy, from its commit.',
    )
    .argument(...LIBRARY)
    .argument('[steps]', 'how many loads to go back (default: 1)')
    .option('--to <number>', 'the number of the load to restore, from "svccmd library history"', parseCount)
    .option('--dry-run', 'print what would be written, without writing anything')
    .addOption(waitOption())
    .action(async (first: string | undefined, second: string | undefined, flags: RollbackFlags) => {
      const { to, dryRun = false, wait = 0 } = flags;
      const [name, text] =
        second === undefined && /^\W*\d/.test(first ?? '') ? [undefined, first] : [first, second];
      const steps = text === undefined ? undefined : toSteps(text);
      if (steps !== undefined && to !== undefined) {
        throw new CommanderError('usage', 'pass either [steps] or --to, not both');
      }
      await (await commands()).rollback(context, name, { steps, to, dryRun, waitMs: wait * 1000 });
    });
}

function toSteps(text: string): number {
  try {
    return parseCount(text);
  } catch {
    throw new CommanderError(
      'usage',
      `[steps] must be a whole number from 1, not ${JSON.stringify(text)}; see svccmd library rollback --help`,
    );
  }
}

function pull(context: CommandContext): Command {
  return new Command('pull')
    .description('Write the stored library into a folder.')
    .usage('[options] [library] <folder>')
    .argument(...LIBRARY)
    .argument('[folder]', 'folder to write into; created if it does not exist')
    .option('--force', 'overwrite files in the folder, and write even while a load is running or interrupted')
    .action(async (first: string | undefined, second: string | undefined, flags: { force?: boolean }) =>
      (await commands()).pull(context, [first, second], flags.force ?? false),
    );
}

function watch(context: CommandContext): Command {
  return new Command('watch')
    .description(
      'Check the source periodically, and load it once it has changed and is stable. Without a name, all configured libraries are watched.',
    )
    .argument(...LIBRARY)
    .option(
      '--interval <seconds>',
      'time between checks, at least 1 (default: source.interval, or 60)',
      parseInterval,
    )
    .action(async (name: string | undefined, flags: { interval?: number }) =>
      (await import('./watch-command.js')).watch(context, name, flags.interval),
    );
}

function sourceOptions(command: Command): Command {
  return command
    .option(
      '--source <folder or URL>',
      'use this instead of source.path, source.ref and source.subfolder (a token in a URL is visible in the process list)',
    )
    .option('--ref <ref>', 'use this branch, tag or commit instead of source.ref', parseRef);
}

function waitOption(): Option {
  return new Option(
    '--wait [seconds]',
    'wait at most this long for another load to finish (600 s if no number is given)',
  )
    .preset('600')
    .argParser(parseSeconds);
}

function toLoadRequest(flags: LoadFlags) {
  return {
    dryRun: flags.dryRun ?? false,
    prune: pruneOf(flags),
    allowEmpty: flags.allowEmpty ?? false,
    ifChanged: flags.ifChanged ?? false,
    takeOver: flags.takeOver ?? false,
    allowOlder: flags.allowOlder ?? false,
    createChroot: flags.createChroot ?? false,
    waitMs: (flags.wait ?? 0) * 1000,
    source: flags.source,
    ref: flags.ref,
  };
}

function pruneOf({ prune, pruneAll }: LoadFlags): 'all' | 'owned' | 'none' {
  if (pruneAll) return 'all';
  return prune ? 'owned' : 'none';
}

/** An empty variable of a pipeline must not load the default branch. */
function parseRef(text: string): string {
  if (!/^[^\s\p{C}]+$/u.test(text)) throw new InvalidArgumentError('It must be a branch, tag or commit.');
  return text;
}

function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (text.trim() === '' || !(seconds >= 0 && seconds <= 86_400)) {
    throw new InvalidArgumentError('It must be a number of seconds up to 86400.');
  }
  return seconds;
}

function parseInterval(text: string): number {
  const seconds = Number(text);
  if (!(seconds >= 1 && seconds <= 86_400)) {
    throw new InvalidArgumentError('It must be a number of seconds from 1 to 86400.');
  }
  return seconds;
}

function parseCount(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1.');
  return Number(text);
}
