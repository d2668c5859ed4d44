import { Command, InvalidArgumentError, Option } from 'commander';
import type { CommandContext } from '../command-line/command-context.js';
import type { VerifyFlags } from './build-flags.js';
import type { DiffFlags, DumpFlags, InspectFlags } from './read-commands.js';

const LOOKUP = 'name of a lookup in iplookup.destination_path, or a path of a file';

/** The commands that read lookup files. */
export function readCommands(context: CommandContext, inputFormats: readonly string[]): readonly Command[] {
  return [
    showCommand(context),
    inspectCommand(context),
    verifyCommand(context, inputFormats),
    diffCommand(context),
    dumpCommand(context),
  ];
}

function showCommand(context: CommandContext): Command {
  return new Command('show')
    .description('Shows what a lookup file says of addresses.')
    .argument('<lookup>', LOOKUP)
    .argument('<ip...>', 'IPv4 or IPv6 addresses')
    .action(async (lookup: string, addresses: string[]) => {
      const { show } = await import('./read-commands.js');
      await show(context, lookup, addresses);
    });
}

function inspectCommand(context: CommandContext): Command {
  return new Command('inspect')
    .description(
      'Tells what a lookup file holds: its metadata, how many networks of each family, and how many addresses each value of its first column covers.',
    )
    .argument('<lookup>', LOOKUP)
    .option('--column <name>', 'count by this column; with dots where records are nested: country.iso_code')
    .option('--out <file>', 'draw the address space as an SVG picture into this file; - is standard output')
    .action(async (lookup: string, flags: InspectFlags) => {
      const { inspect } = await import('./read-commands.js');
      await inspect(context, lookup, flags);
    });
}

function diffCommand(context: CommandContext): Command {
  return new Command('diff')
    .description('Tells which networks have another record in the second lookup file than in the first.')
    .argument('<old>', LOOKUP)
    .argument('<new>', 'the same')
    .option('--limit <count>', 'networks told one by one (default: 20)', parseLimit)
    .action(async (before: string, after: string, flags: DiffFlags) => {
      const { diff } = await import('./read-commands.js');
      await diff(context, before, after, flags);
    });
}

function dumpCommand(context: CommandContext): Command {
  return new Command('dump')
    .description(
      'Writes a lookup file back as CSV, of which from-csv -i auto makes the same lookups again (with --cidr: -i cidr).',
    )
    .argument('<lookup>', LOOKUP)
    .option('--cidr', 'one column of networks instead of ip_from and ip_to')
    .option('--out <file>', 'write into this file, gzipped when it ends in .gz (default: standard output)')
    .action(async (lookup: string, flags: DumpFlags) => {
      const { dump } = await import('./read-commands.js');
      await dump(context, lookup, flags);
    });
}

function verifyCommand(context: CommandContext, inputFormats: readonly string[]): Command {
  return new Command('verify')
    .description(
      'Checks a lookup file by the strictest rules among its readers, and, with --against, compares it with the CSV file it was made of, read by other means. The options say how that file was read.',
    )
    .argument('<lookup>', LOOKUP)
    .option('--against <file_name>', 'the CSV file; a file name of the vendor is known as such')
    .option('--vendor', 'the CSV file was read by from-vendor')
    .addOption(
      new Option('-i, --input-ip-format <format>', 'how addresses are written').choices(inputFormats),
    )
    .option('-s, --separator <character>', 'character between columns, or tab')
    .option('-c, --column-names <names...>', 'names of all columns in order')
    .option('--no-header', 'the first row is data')
    .option('-e, --keep-empty-rows', 'rows of which all values are "-" were kept')
    .addOption(new Option('--empty-rows <which>', 'which rows were left out').choices(['all', 'any']))
    .addOption(new Option('--schema <schema>', 'shape of the records').choices(['flat', 'geoip2']))
    .option('--drop-columns <names>', 'value columns that were not stored, separated by commas')
    .option('--types', 'known columns were stored as numbers')
    .option('--no-types', 'every value was stored as text')
    .option('--include-ip-range', "the row's addresses were added to the values")
    .option('--skip-invalid', 'invalid rows were left out')
    .action(async (lookup: string, flags: VerifyFlags) => {
      const { verify } = await import('./verify-command.js');
      await verify(context, lookup, flags);
    });
}

function parseLimit(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('It must be a number from 0 to 999999.');
  return Number(text);
}
