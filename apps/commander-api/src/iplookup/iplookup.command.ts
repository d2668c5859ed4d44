import { Command, InvalidArgumentError, Option } from 'commander';
import type { CommandContext } from '../command-line/command-context.js';
import { SUBCOMMANDS_AS_USED } from '../command-line/subcommand-term.js';
import {
  collect,
  FILE_NAME,
  FORMATS,
  fromCsvCommand,
  fromMaxmindCommand,
  fromVendorCommand,
  OVERLAP_RULES,
} from './build/build.command.js';
import type { VerifyFlags } from './build/build-flags.js';
import { rollbackCommand, versionsCommand } from './rollback/rollback.command.js';
import type { DiffFlags, DumpFlags, InspectFlags } from './read/read-commands.js';
import type { SyncFlags } from './sync/sync-command.js';

/** `svccmd iplookup …`. What a command needs is loaded when it runs. */
export function iplookupCommand(context: CommandContext): Command {
  return new Command('iplookup')
    .description('Generate IP lookup files (MaxMind DB) from CSV files, and query them.')
    .configureHelp(SUBCOMMANDS_AS_USED)
    .addCommand(guessCommand(context))
    .addCommand(fromCsvCommand(context))
    .addCommand(fromVendorCommand(context))
    .addCommand(fromMaxmindCommand(context))
    .addCommand(syncCommand(context))
    .addCommand(announceCommand(context))
    .addCommand(showCommand(context))
    .addCommand(explainCommand(context))
    .addCommand(inspectCommand(context))
    .addCommand(verifyCommand(context))
    .addCommand(diffCommand(context))
    .addCommand(dumpCommand(context))
    .addCommand(versionsCommand(context))
    .addCommand(rollbackCommand(context))
    .addCommand(deleteCommand(context));
}

function guessCommand(context: CommandContext): Command {
  return new Command('guess')
    .description("Read a file's first rows, and print the command that builds a lookup from it.")
    .argument('<file_name>', FILE_NAME)
    .action(async (file: string) => {
      const { guess } = await import('./read/guess-command.js');
      await guess(context, file);
    });
}

function syncCommand(context: CommandContext): Command {
  return new Command('sync')
    .description(
      'Build the lookups declared in iplookup.declarations that are out of date. Layers whose sources have not changed are not read again.',
    )
    .argument('[lookup...]', 'names of declared lookups (default: all)')
    .option('--dry-run', 'only show which lookups would be built, and why')
    .option('--force', 'replace previous lookups even if guards fail; the result names the user')
    .action(async (names: string[], flags: SyncFlags) => {
      const { sync } = await import('./sync/sync-command.js');
      await sync(context, names, flags);
    });
}

function announceCommand(context: CommandContext): Command {
  return new Command('announce')
    .description(
      'Announce lookups in the coordination cluster: each gets a node below iplookup.announce, with its version, SHA-256, size and URL. The server does this automatically.',
    )
    .action(async () => {
      const { announce } = await import('./announce/announce-command.js');
      await announce(context);
    });
}

const LOOKUP = 'name of a lookup in iplookup.destination_path, or path of a file';

function showCommand(context: CommandContext): Command {
  return new Command('show')
    .description('Look up addresses in a lookup file.')
    .argument('<lookup>', LOOKUP)
    .argument('<ip...>', 'IPv4 or IPv6 addresses')
    .action(async (lookup: string, addresses: string[]) => {
      const { show } = await import('./read/read-commands.js');
      await show(context, lookup, addresses);
    });
}

function explainCommand(context: CommandContext): Command {
  return new Command('explain')
    .description(
      'For an address in a declared lookup, show the source and row that each value of its record came from.',
    )
    .argument('<lookup>', 'name of a declared lookup')
    .argument('<ip>', 'IPv4 or IPv6 address')
    .action(async (lookup: string, address: string) => {
      const { explain } = await import('./sync/sync-command.js');
      await explain(context, lookup, address);
    });
}

function inspectCommand(context: CommandContext): Command {
  return new Command('inspect')
    .description(
      'Summarise a lookup file: its metadata, the number of networks per address family, and how many addresses each value of its first column covers.',
    )
    .argument('<lookup>', LOOKUP)
    .option('--column <name>', 'count by this column; use dots in nested records: country.iso_code')
    .option('--out <file>', 'write an SVG picture of the address space to this file; - for standard output')
    .action(async (lookup: string, flags: InspectFlags) => {
      const { inspect } = await import('./read/read-commands.js');
      await inspect(context, lookup, flags);
    });
}

function diffCommand(context: CommandContext): Command {
  return new Command('diff')
    .description('Show which networks have different records in two lookup files.')
    .argument('<old>', LOOKUP)
    .argument('<new>', LOOKUP)
    .option('--limit <count>', 'maximum number of networks to list (default: 20)', parseLimit)
    .action(async (before: string, after: string, flags: DiffFlags) => {
      const { diff } = await import('./read/read-commands.js');
      await diff(context, before, after, flags);
    });
}

function dumpCommand(context: CommandContext): Command {
  return new Command('dump')
    .description(
      'Convert a lookup file back to CSV, for "from-csv -i auto" (with --cidr: "from-csv -i cidr"), which rebuilds an equivalent lookup.',
    )
    .argument('<lookup>', LOOKUP)
    .option('--cidr', 'write one column of networks instead of ip_from and ip_to')
    .option('--out <file>', 'write to this file, gzipped if it ends in .gz (default: standard output)')
    .action(async (lookup: string, flags: DumpFlags) => {
      const { dump } = await import('./read/read-commands.js');
      await dump(context, lookup, flags);
    });
}

function deleteCommand(context: CommandContext): Command {
  return new Command('delete')
    .description(
      'Delete lookups from iplookup.destination_path. Programs that have a lookup open can keep reading it.',
    )
    .argument(
      '<lookup...>',
      'names of lookups, whose plain and gzipped files are both deleted, or of single files',
    )
    .action(async (lookups: string[]) => {
      const { deleteLookups } = await import('./read/read-commands.js');
      await deleteLookups(context, lookups);
    });
}

function verifyCommand(context: CommandContext): Command {
  return new Command('verify')
    .description(
      'Validate a lookup file against the rules of the strictest MaxMind DB readers. With --against, also compare it with the CSV file it was built from; the options describe how that file was read.',
    )
    .argument('<lookup>', LOOKUP)
    .option('--against <file_name>', 'the CSV file; vendor file names are recognised')
    .option('--vendor', 'the lookup was built with from-vendor')
    .addOption(new Option('-i, --input-ip-format <format>', 'format of addresses').choices(FORMATS))
    .option('-s, --separator <character>', 'column separator: one character, or tab')
    .option('-c, --column-names <names...>', 'names of all columns in order')
    .option('--no-header', 'the first row was read as data')
    .option('-e, --keep-empty-rows', 'rows in which every value is "-" were kept')
    .addOption(new Option('--empty-rows <which>', 'which rows were left out').choices(['all', 'any']))
    .addOption(new Option('--schema <schema>', 'shape of the records').choices(['flat', 'geoip2']))
    .option('--drop-columns <names>', 'value columns that were left out, separated by commas')
    .option('--keep-columns <names>', 'the only value columns that were stored, separated by commas')
    .option('--rename <pairs>', 'columns that were stored by other names')
    .option('--set <pair>', 'a column that was added to every record; may be repeated', collect)
    .option('--types [pairs]', 'known columns were stored as numbers, or columns by the types given')
    .option('--no-types', 'every value was stored as text')
    .option('--include-ip-range', "the row's addresses were added to the values")
    .addOption(
      new Option('--overlap <rule>', 'which row wins where rows overlap').choices(OVERLAP_RULES.slice(0, 2)),
    )
    .option('--skip-invalid', 'invalid rows were skipped')
    .action(async (lookup: string, flags: VerifyFlags) => {
      const { verify } = await import('./read/read-commands.js');
      await verify(context, lookup, flags);
    });
}

function parseLimit(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('It must be a number from 0 to 999999.');
  return Number(text);
}
