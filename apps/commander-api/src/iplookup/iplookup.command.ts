import { INPUT_FORMATS } from '@svc/iplookup-core/input-format';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { CommandContext } from '../command-line/command-context.js';
import type { BuildFlags, VerifyFlags } from './build/build-flags.js';
import { addGuardOptions } from './build/guard-command-options.js';
import { rollbackCommand, versionsCommand } from './rollback/rollback.command.js';
import type { DiffFlags, DumpFlags, InspectFlags } from './read/read-commands.js';
import type { SyncFlags } from './sync/sync-command.js';

/** `svccmd iplookup …`. What a command needs is loaded when it runs. */
export function iplookupCommand(context: CommandContext): Command {
  return new Command('iplookup')
    .description('Generate IP lookup files (MaxMind DB) from CSV files, and query them.')
    .addCommand(guessCommand(context))
    .addCommand(fromCsvCommand(context))
    .addCommand(fromVendorCommand(context))
    .addCommand(syncCommand(context))
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

const FILE_NAME =
  'file in iplookup.source_path, path with a folder, or - for standard input; .csv, optionally gzipped or zipped';

const OVERLAP_RULES = ['later', 'specific', 'error'];
const FORMATS = [...INPUT_FORMATS.values()].map(({ name }) => name);
const VENDOR_FORMATS = [...INPUT_FORMATS.values()].filter(({ vendor }) => vendor).map(({ name }) => name);

function guessCommand(context: CommandContext): Command {
  return new Command('guess')
    .description("Read a file's first rows, and print the command that builds a lookup from it.")
    .argument('<file_name>', FILE_NAME)
    .action(async (file: string) => {
      const { guess } = await import('./read/guess-command.js');
      await guess(context, file);
    });
}

function fromCsvCommand(context: CommandContext): Command {
  const command = new Command('from-csv')
    .description(
      'Build a lookup file from your own CSV file, or several with the same columns. The first row names the columns; the first two columns are ip_from and ip_to, all others are values.',
    )
    .argument('[file_name...]', FILE_NAME)
    .addOption(
      new Option('-i, --input-ip-format <format>', 'format of addresses (default: ipv6)').choices(FORMATS),
    );
  addGuardOptions(addCommonOptions(command))
    .option('--no-header', 'treat the first row as data; requires --column-names')
    .option(
      '--column-names <names...>',
      'names of all columns in order, for --no-header; put them after the file name or in one quoted string; ip_from and ip_to may be omitted',
    )
    .action(async (files: readonly string[], flags: BuildFlags) => {
      const { build } = await import('./build/build-commands.js');
      await build(context, 'csv', files, flags);
    });
  return command;
}

function fromVendorCommand(context: CommandContext): Command {
  const command = new Command('from-vendor')
    .description(
      "Build a lookup file from a vendor's CSV file. The file name determines the columns and the address format.",
    )
    .argument('[file_name]', FILE_NAME)
    .addOption(
      new Option(
        '-i, --input-ip-format <format>',
        'format of addresses, if not the one that the file name implies',
      ).choices(VENDOR_FORMATS),
    );
  addGuardOptions(addCommonOptions(command))
    .option(
      '-c, --column-names <names...>',
      'names of all columns in order; put them after the file name or in one quoted string; ip_from and ip_to may be omitted',
    )
    .option('-e, --keep-empty-rows', 'keep rows in which every value is "-", and keep "-" as a value')
    .addOption(
      new Option(
        '--empty-rows <which>',
        'leave out rows in which all values (default) or any value is "-"',
      ).choices(['all', 'any']),
    )
    .action(async (file: string | undefined, flags: BuildFlags) => {
      const { build } = await import('./build/build-commands.js');
      await build(context, 'vendor', file === undefined ? [] : [file], flags);
    });
  return command;
}

function syncCommand(context: CommandContext): Command {
  return new Command('sync')
    .description(
      'Build the lookups declared in iplookup.declarations that are out of date. Layers whose sources have not changed are not read again.',
    )
    .argument('[lookup...]', 'names of declared lookups (default: all)')
    .option('--dry-run', 'only show which lookups would be built, and why')
    .option('--force', 'replace former lookups even if guards fail; the result says who did')
    .action(async (names: string[], flags: SyncFlags) => {
      const { sync } = await import('./sync/sync-command.js');
      await sync(context, names, flags);
    });
}

/** The options of both ways to make a lookup. */
function addCommonOptions(command: Command): Command {
  return addColumnOptions(command)
    .option('-g, --gzip', 'gzip the lookup file (.mmdb.gz)')
    .option('-s, --separator <character>', 'column separator, or tab (default: ,)')
    .option(
      '-o, --lookup-name <name>',
      'name of the lookup (default: the file name without .csv, .gz and .zip)',
    )
    .addOption(new Option('--zone-name <name>', 'alias of --lookup-name').conflicts('lookupName'))
    .option('--include-ip-range', "add the row's ip_from and ip_to to the values")
    .option('--force-ipv4', 'build a lookup for IPv4 addresses only, without mapping them to IPv6')
    .option('--skip-invalid', 'skip invalid rows instead of failing')
    .addOption(
      new Option(
        '--overlap <rule>',
        'where rows overlap: the later row in the file wins (default), the more specific one, which has fewer addresses, or fail',
      ).choices(OVERLAP_RULES),
    )
    .option('--strict', 'the same as --overlap error')
    .option(
      '--build-epoch <seconds>',
      'build time to write into the file, in seconds since 1970 (default: SOURCE_DATE_EPOCH or now)',
      parseEpoch,
    );
}

/** Which columns the records have, and how they are stored. */
function addColumnOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--schema <schema>',
        "flat records (default), or geoip2: MaxMind's nested records, which some readers require",
      ).choices(['flat', 'geoip2']),
    )
    .option('--drop-columns <names>', 'value columns to leave out, separated by commas')
    .addOption(
      new Option('--keep-columns <names>', 'the only value columns to store, separated by commas').conflicts(
        'dropColumns',
      ),
    )
    .option('--rename <pairs>', 'store columns by other names: country=country_code,as=asn')
    .option(
      '--set <pair>',
      'add a column with the same value in every record: source=dbip; may be repeated',
      collect,
    )
    .option(
      '--join <file:column>',
      'add the columns of another CSV file to the rows that refer to this column of it: Locations.csv:geoname_id, or Locations.csv:geoname_id=registered_country_geoname_id:registered_ for a column of another name, and a prefix; may be repeated',
      collect,
    )
    .option(
      '--types [pairs]',
      'store known columns as numbers (latitude, longitude, elevation, fraud_score, last_seen), or columns by the types given: is_hosting=boolean,asn=uint32; types are string, boolean, double, int32, uint16, uint32 and asn',
    )
    .option('--no-types', 'store every value as text');
}

function collect(pair: string, pairs: readonly string[] = []): readonly string[] {
  return [...pairs, pair];
}

function parseEpoch(text: string): number {
  if (!/^\d{1,12}$/.test(text)) throw new InvalidArgumentError('It must be a number of seconds since 1970.');
  return Number(text);
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
    .description("Show the source and row of each value in an address's record, in a declared lookup.")
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
      'Summarize a lookup file: its metadata, the number of networks per address family, and how many addresses each value of its first column covers.',
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
      'Convert a lookup file back to CSV. from-csv -i auto rebuilds an equivalent lookup from it (with --cidr: -i cidr).',
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
      'Delete lookups from iplookup.destination_path. Readers that have one open can keep reading it.',
    )
    .argument('<lookup...>', 'names of lookups, which are deleted plain and gzipped, or of single files')
    .action(async (lookups: string[]) => {
      const { deleteLookups } = await import('./read/read-commands.js');
      await deleteLookups(context, lookups);
    });
}

function verifyCommand(context: CommandContext): Command {
  return new Command('verify')
    .description(
      'Validate a lookup file by the strictest rules of its readers. With --against, also compare it with the CSV file it was built from; the options describe how that file was read.',
    )
    .argument('<lookup>', LOOKUP)
    .option('--against <file_name>', 'the CSV file; vendor file names are recognized')
    .option('--vendor', 'the CSV file was read with from-vendor')
    .addOption(new Option('-i, --input-ip-format <format>', 'format of addresses').choices(FORMATS))
    .option('-s, --separator <character>', 'column separator, or tab')
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
