import { INPUT_FORMATS } from '@svc/iplookup-core/input-format';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { CommandContext } from '../../command-line/command-context.js';
import type { BuildFlags } from './build-flags.js';

export const FILE_NAME =
  'name of a file in iplookup.source_path, path such as ./sites.csv, or - for standard input; .csv, optionally gzipped or zipped';

export const OVERLAP_RULES = ['later', 'specific', 'error'];
export const FORMATS = [...INPUT_FORMATS.values()].map(({ name }) => name);
const VENDOR_FORMATS = [...INPUT_FORMATS.values()].filter(({ vendor }) => vendor).map(({ name }) => name);

export function fromCsvCommand(context: CommandContext): Command {
  const command = new Command('from-csv')
    .description(
      'Build a lookup file from your own CSV file, or several with the same columns. The first row names the columns; the first two columns are ip_from and ip_to (with -i cidr, the first is the network), all others are values.',
    )
    .usage('[options] <file_name...>')
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
      const { build } = await import('./run-build.js');
      await build(context, 'csv', files, flags);
    });
  return command;
}

export function fromVendorCommand(context: CommandContext): Command {
  const command = new Command('from-vendor')
    .description(
      "Build a lookup file from a vendor's CSV file. Its columns and address format are inferred from the file name, or from the first rows.",
    )
    .usage('[options] <file_name>')
    .argument('[file_name]', FILE_NAME)
    .addOption(
      new Option(
        '-i, --input-ip-format <format>',
        'format of addresses (default: inferred from the file name or the first rows)',
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
      const { build } = await import('./run-build.js');
      await build(context, 'vendor', file === undefined ? [] : [file], flags);
    });
  return command;
}

export function fromMaxmindCommand(context: CommandContext): Command {
  const command = new Command('from-maxmind')
    .description(
      "Build a lookup file from one of MaxMind's databases in CSV format: the zip archive as downloaded, or the folder with its files. The records are MaxMind's own, unless --schema is flat.",
    )
    .argument(
      '<archive_or_folder>',
      'name of a zip archive in iplookup.source_path, or path of an archive or a folder',
    )
    .option(
      '--language <codes>',
      "language of the places' names, or several separated by commas: en,de,pt-BR (default: en)",
    );
  addGuardOptions(addOutputOptions(addColumnOptions(command))).action(
    async (path: string, flags: BuildFlags) => {
      const { build } = await import('./run-build.js');
      await build(context, 'maxmind', [path], flags);
    },
  );
  return command;
}

/** The options of lookups from CSV files. */
function addCommonOptions(command: Command): Command {
  return addOutputOptions(addColumnOptions(command))
    .option('-s, --separator <character>', 'column separator: one character, or tab (default: ,)')
    .option(
      '--join <file:column>',
      'add the columns of another CSV file, joined on its key column: Locations.csv:geoname_id; if the column that refers to it has another name, with that name and a prefix for the added columns: Locations.csv:geoname_id=registered_country_geoname_id:registered_; may be repeated',
      collect,
    )
    .option('--include-ip-range', "add the row's ip_from and ip_to to the values")
    .option(
      '--threads <count>',
      'how many threads may build the lookup, from 1 to 4 (default: one for each core). A second one is used for a single uncompressed file of at least 32 MB with integer addresses, without --join; currently at most two are used',
      parseThreads,
    );
}

/** What every build takes. */
function addOutputOptions(command: Command): Command {
  return command
    .option('-g, --gzip', 'gzip the lookup file (.mmdb.gz)')
    .option(
      '-o, --lookup-name <name>',
      "name of the lookup (default: the file name without .csv, .gz and .zip, or the name of MaxMind's database)",
    )
    .addOption(new Option('--zone-name <name>', 'alias of --lookup-name').conflicts('lookupName'))
    .option('--force-ipv4', 'build a lookup for IPv4 addresses only, without mapping them to IPv6')
    .option('--skip-invalid', 'skip invalid rows instead of failing')
    .addOption(
      new Option(
        '--overlap <rule>',
        'where rows overlap: the later row in the file wins (later, the default), the row with fewer addresses wins (specific), or the build fails (error)',
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
        "flat records (default, except from-maxmind), or geoip2: MaxMind's nested records, which some readers require",
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
      '--types [pairs]',
      'store known columns as numbers (latitude, longitude, elevation, fraud_score, last_seen), the default for from-vendor, or columns as the given types: is_hosting=boolean,asn=uint32; types are string, boolean, double, int32, uint16, uint32 and asn',
    )
    .option('--no-types', 'store every value as text (default for from-csv)');
}

export function collect(pair: string, pairs: readonly string[] = []): readonly string[] {
  return [...pairs, pair];
}

function parseThreads(text: string): number {
  if (!/^[1-4]$/.test(text)) throw new InvalidArgumentError('It must be a number from 1 to 4.');
  return Number(text);
}

function parseEpoch(text: string): number {
  if (!/^\d{1,12}$/.test(text)) throw new InvalidArgumentError('It must be a number of seconds since 1970.');
  return Number(text);
}

/** The options that keep a bad lookup from replacing a good one. */
function addGuardOptions(command: Command): Command {
  return command
    .option('--guards', 'the usual guards: --verify --max-lost 5% --not-older')
    .option('--verify', 'the new lookup must be valid, as in "svccmd iplookup verify"')
    .option(
      '--max-lost <percentage>',
      'at most this share of the addresses that have a record may lose it: 5%; IPv4 and IPv6 count separately, as for the other limits',
    )
    .option(
      '--max-changed <limits>',
      'at most these shares of the addresses with a value in a column may change it: country_code=10%,asn=5%',
      collect,
    )
    .option(
      '--max-share <percentage>',
      'at most this share of the addresses that have a record may have the same one: 50%',
    )
    .option(
      '--probe <probe>',
      'an address must have this value in the new lookup: "8.8.8.8 country_code US", with - for no value; may be repeated',
      collect,
    )
    .option('--probes <file>', 'a file of probes, one per line')
    .option('--not-older', 'the new lookup must not have been built before the previous one')
    .option('--force', 'replace the previous lookup even if guards fail; the result names the user');
}
