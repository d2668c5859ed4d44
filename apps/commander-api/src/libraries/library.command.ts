import { Command, InvalidArgumentError, Option } from 'commander';
import type { CommandContext } from '../command-line/command-context.js';
import { CommanderError } from '../errors/commander-error.js';

/** What the commands do: loaded when one runs. */
const commands = async () => import('./library-commands.js');

/** `svccmd library …` */
export function libraryCommand(context: CommandContext): Command {
  const library = new Command('library').description(
    'Loads a library of declarations into the coordination cluster, and looks after it.',
  );
  const children = [load, diff, validate, status, history, rollback, pull, watch];
  for (const child of children) library.addCommand(child(context));
  return library;
}

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
  readonly createChroot?: boolean;
}

interface RollbackFlags {
  readonly to?: number;
  readonly dryRun?: boolean;
  readonly wait?: number;
}

function load(context: CommandContext): Command {
  return sourceOptions(new Command('load'))
    .description(
      'Brings the library in the destination to what the source holds. Only what differs is written; what an earlier load put there and the source no longer has is removed.',
    )
    .option('--dry-run', 'print what would be written, and write nothing')
    .option('--no-prune', 'remove nothing')
    .addOption(
      new Option(
        '--prune-all',
        'remove also what no load put there (names that start with a dot stay)',
      ).conflicts('prune'),
    )
    .option('--allow-empty', 'accept a source without files, which empties the library')
    .option('--take-over', 'replace the library of another source (another address or subfolder)')
    .option('--if-changed', 'stop at once when the source stands at the revision of the last load')
    .option('--create-chroot', 'make the chroot of destination.urls where it does not exist')
    .addOption(waitOption())
    .action(async (flags: LoadFlags) => (await commands()).load(context, toLoadRequest(flags)));
}

function diff(context: CommandContext): Command {
  return sourceOptions(new Command('diff'))
    .description('Prints what a load would change, and writes nothing.')
    .option('--exit-code', 'end with 1 when something would change')
    .action(async (flags: SourceFlags & { exitCode?: boolean }) => (await commands()).diff(context, flags));
}

function validate(context: CommandContext): Command {
  return sourceOptions(new Command('validate'))
    .description('Checks a source as a load does, without a destination.')
    .argument('[folder]', 'a folder or Git URL instead of source.path')
    .action(async (folder: string | undefined, flags: SourceFlags) =>
      (await commands()).validate(context, { ...flags, source: folder ?? flags.source }),
    );
}

function status(context: CommandContext): Command {
  return new Command('status')
    .description('Says which load the destination stands at, and whether one is under way.')
    .option('--drift', 'read the library and list what others changed of what was loaded')
    .action(async (flags: { drift?: boolean }) => (await commands()).status(context, flags.drift ?? false));
}

function history(context: CommandContext): Command {
  return new Command('history')
    .description('Lists the last ten loads, newest first.')
    .action(async () => (await commands()).history(context));
}

function rollback(context: CommandContext): Command {
  return new Command('rollback')
    .description('Puts an earlier load back: from its copy, or for a Git source without one by its commit.')
    .argument('[steps]', 'how many loads to go back (1 when no number is given)', parseCount)
    .option('--to <number>', 'the load to go back to, as "svccmd library history" numbers it', parseCount)
    .option('--dry-run', 'print what would be written, and write nothing')
    .addOption(waitOption())
    .action(async (steps: number | undefined, { to, dryRun = false, wait = 0 }: RollbackFlags) => {
      if (steps !== undefined && to !== undefined) {
        throw new CommanderError('usage', 'name the load by [steps] or by --to, not by both');
      }
      await (await commands()).rollback(context, { steps, to, dryRun, waitMs: wait * 1000 });
    });
}

function pull(context: CommandContext): Command {
  return new Command('pull')
    .description('Writes the stored library into a folder: the way back.')
    .argument('<folder>', 'made when it does not exist')
    .option('--force', 'write over what the folder holds')
    .action(async (folder: string, flags: { force?: boolean }) =>
      (await commands()).pull(context, folder, flags.force ?? false),
    );
}

function watch(context: CommandContext): Command {
  return new Command('watch')
    .description('Looks at the source again and again, and loads it when it has changed and stands still.')
    .option('--interval <seconds>', 'between two looks, from 1 (source.interval, or 60)', parseInterval)
    .action(async (flags: { interval?: number }) => (await commands()).watch(context, flags.interval));
}

function sourceOptions(command: Command): Command {
  return command
    .option(
      '--source <folder or URL>',
      'use this instead of source.path (a URL with a token stands in the process list)',
    )
    .option('--ref <ref>', 'branch, tag or commit instead of source.ref');
}

function waitOption(): Option {
  return new Option('--wait [seconds]', 'wait for another load to end (600 s when no number is given)')
    .preset('600')
    .argParser(parseSeconds);
}

function toLoadRequest(flags: LoadFlags) {
  return {
    dryRun: flags.dryRun ?? false,
    prune: flags.pruneAll ? ('all' as const) : flags.prune ? ('owned' as const) : ('none' as const),
    allowEmpty: flags.allowEmpty ?? false,
    ifChanged: flags.ifChanged ?? false,
    takeOver: flags.takeOver ?? false,
    createChroot: flags.createChroot ?? false,
    waitMs: (flags.wait ?? 0) * 1000,
    source: flags.source,
    ref: flags.ref,
  };
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
