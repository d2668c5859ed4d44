import { Command, InvalidArgumentError } from 'commander';
import type { CommandContext } from '../../command-line/command-context.js';

const LOOKUP = 'name of a lookup in iplookup.destination_path, or of its file';

/** `svccmd iplookup versions` */
export function versionsCommand(context: CommandContext): Command {
  return new Command('versions')
    .description('List the previous versions of a lookup, newest first.')
    .argument('<lookup>', LOOKUP)
    .action(async (lookup: string) => {
      const { versions } = await import('./run-rollback.js');
      await versions(context, lookup);
    });
}

/** `svccmd iplookup rollback` */
export function rollbackCommand(context: CommandContext): Command {
  return new Command('rollback')
    .description(
      'Restore a previous version of a lookup. The current file becomes a version, so that another rollback undoes this one.',
    )
    .argument('<lookup>', LOOKUP)
    .option('--to <number>', 'version to restore (default: the newest)', parseVersion)
    .action(async (lookup: string, flags: { to?: number }) => {
      const { rollback } = await import('./run-rollback.js');
      await rollback(context, lookup, flags);
    });
}

function parseVersion(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError('It must be the number of a version.');
  return Number(text);
}
