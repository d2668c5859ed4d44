import { Command, InvalidArgumentError, Option } from 'commander';
import type { CommandContext } from '../cli/command-context.js';

interface LoadFlags {
  readonly dryRun?: boolean;
  readonly prune: boolean;
  readonly pruneAll?: boolean;
  readonly allowEmpty?: boolean;
  readonly wait?: number;
  readonly source?: string;
  readonly ref?: string;
  readonly ifChanged?: boolean;
}

/** `svccmd library …`. What a command needs is loaded when it runs. */
export function libraryCommand(context: CommandContext): Command {
  return new Command('library')
    .description('Loads a library of declarations into the coordination cluster, and looks after it.')
    .addCommand(loadCommand(context));
}

function loadCommand(context: CommandContext): Command {
  return new Command('load')
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
    .option('--if-changed', 'stop at once when the source stands at the revision of the last load')
    .addOption(
      new Option('--wait [seconds]', 'wait for another load to end (600 s when no number is given)')
        .preset('600')
        .argParser(parseSeconds),
    )
    .option(
      '--source <folder or URL>',
      'load from here instead of source.path (others see a URL in the process list)',
    )
    .option('--ref <ref>', 'branch, tag or commit instead of source.ref')
    .action(async (flags: LoadFlags) => {
      const { load } = await import('./library-commands.js');
      await load(context, {
        dryRun: flags.dryRun ?? false,
        prune: flags.pruneAll ? 'all' : flags.prune ? 'owned' : 'none',
        allowEmpty: flags.allowEmpty ?? false,
        ifChanged: flags.ifChanged ?? false,
        waitMs: (flags.wait ?? 0) * 1000,
        source: flags.source,
        ref: flags.ref,
      });
    });
}

function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (!(seconds >= 0 && seconds <= 86_400))
    throw new InvalidArgumentError('It must be a number of seconds up to 86400.');
  return seconds;
}
