import { INPUT_FORMATS } from '@svc/iplookup-core/input-format';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { CommandContext } from '../command-line/command-context.js';
import type { BuildFlags, VerifyFlags } from './build-flags.js';
import type { DiffFlags, DumpFlags, InspectFlags } from './read-commands.js';

/** `svccmd iplookup …`. What a command needs is loaded when it runs. */
export function iplookupCommand(context: CommandContext): Command {
  return new Command('iplookup')
    .description('Generates IP lookup files (MaxMind DB) from CSV files, and reads them.')
    .addCommand(fromCsvCommand(context))
    .addCommand(fromVendorCommand(context))
    .addCommand(showCommand(context))
    .addCommand(inspectCommand(context))
    .addCommand(verifyCommand(context))
    .addCommand(diffCommand(context))
    .addCommand(dumpCommand(context));
}

const FILE_NAME =
  'input file in iplookup.source_path, or a path with a folder, or - for standard input; .csv, also gzipped or zipped';

const FORMATS = [...INPUT_FORMATS.values()].map(({ name }) => name);
const VENDOR_FORMATS = [...INPUT_FORMATS.values()].filter(({ vendor }) => vendor).map(({ name }) => name);

function fromCsvCommand(context: CommandContext): Command {
  const command = new Command('from-csv')
    .description(
      'Makes a lookup file of a CSV file of your own. The first row names the columns; the first two columns are ip_from and ip_to, the rest are values.',
    )
    .argument('[file_name]', FILE_NAME)
    .addOption(
      new Option('-i, --input-ip-format <format>', 'how addresses are written (default: ipv6)').choices(
        FORMATS,
      ),
    );
  addCommonOptions(command)
    .option('--no-header', 'the first row is data; needs --column-names')
    .option(
      '--column-names <names...>',
      'names of all columns in order, with --no-header: after the file name or in one quoted string; ip_from and ip_to may be left out',
    )
    .action(async (file: string | undefined, flags: BuildFlags) => {
      const { build } = await import('./build-commands.js');
      await build(context, 'csv', file, flags);
    });
  return command;
}

function fromVendorCommand(context: CommandContext): Command {
  const command = new Command('from-vendor')
    .description(
      "Makes a lookup file of one of the vendor's CSV files. Columns and address format follow from the file's name.",
    )
    .argument('[file_name]', FILE_NAME)
    .addOption(
      new Option(
        '-i, --input-ip-format <format>',
        "how addresses are written, if not as the file's name says",
      ).choices(VENDOR_FORMATS),
    );
  addCommonOptions(command)
    .option(
      '-c, --column-names <names...>',
      'names of all columns in order, after the file name or in one quoted string; ip_from and ip_to may be left out',
    )
    .option('-e, --keep-empty-rows', 'keep rows all of whose values are "-", and keep "-" as a value')
    .addOption(
      new Option(
        '--empty-rows <which>',
        'leave out rows whose values are all "-" (the default), or any',
      ).choices(['all', 'any']),
    )
    .action(async (file: string | undefined, flags: BuildFlags) => {
      const { build } = await import('./build-commands.js');
      await build(context, 'vendor', file, flags);
    });
  return command;
}

/** The options of both ways to make a lookup. */
function addCommonOptions(command: Command): Command {
  return command
    .option('-g, --gzip', 'gzip the lookup file (.mmdb.gz)')
    .option('-s, --separator <character>', 'character between columns, or tab (default: ,)')
    .option(
      '-o, --lookup-name <name>',
      "the lookup's name (default: the file's name without .csv, .gz and .zip)",
    )
    .addOption(new Option('--zone-name <name>', 'the same as --lookup-name').conflicts('lookupName'))
    .addOption(
      new Option(
        '--schema <schema>',
        "flat records (default), or geoip2: MaxMind's nested ones, for readers that take no others",
      ).choices(['flat', 'geoip2']),
    )
    .option('--drop-columns <names>', 'value columns not to be stored, separated by commas')
    .option('--include-ip-range', "add ip_from and ip_to, the row's addresses, to the values")
    .option('--force-ipv4', 'do not map IPv4 addresses to IPv6: a lookup of IPv4 addresses only')
    .option(
      '--types',
      'store known columns as numbers: latitude, longitude, elevation, fraud_score, last_seen',
    )
    .option('--no-types', 'store every value as text')
    .option('--skip-invalid', 'leave invalid rows out instead of failing')
    .option('--strict', 'fail when rows overlap; otherwise the later row wins')
    .option(
      '--build-epoch <seconds>',
      'build time since 1970 written into the file (default: SOURCE_DATE_EPOCH or now)',
      parseEpoch,
    );
}

function parseEpoch(text: string): number {
  if (!/^\d{1,12}$/.test(text)) throw new InvalidArgumentError('It must be a number of seconds since 1970.');
  return Number(text);
}

const LOOKUP = 'name of a lookup in iplookup.destination_path, or a path of a file';

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

function verifyCommand(context: CommandContext): Command {
  return new Command('verify')
    .description(
      'Checks a lookup file by the strictest rules among its readers, and, with --against, compares it with the CSV file it was made of, read by other means. The options say how that file was read.',
    )
    .argument('<lookup>', LOOKUP)
    .option('--against <file_name>', 'the CSV file; a file name of the vendor is known as such')
    .option('--vendor', 'the CSV file was read by from-vendor')
    .addOption(new Option('-i, --input-ip-format <format>', 'how addresses are written').choices(FORMATS))
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
      const { verify } = await import('./read-commands.js');
      await verify(context, lookup, flags);
    });
}

function parseLimit(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('It must be a number from 0 to 999999.');
  return Number(text);
}
