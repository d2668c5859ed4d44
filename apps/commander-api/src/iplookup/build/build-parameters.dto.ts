import { INPUT_FORMATS } from '@svc/iplookup-core';
import { Transform } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  ValidateIf,
} from 'class-validator';
import { type BuildFlags, splitList } from './build-flags.js';
import { GuardParameters } from './guard-parameters.dto.js';
import { Parameter } from './parameter.js';
import { Switch, toSwitch } from './switch-parameter.js';

const FORMATS = [...INPUT_FORMATS.values()];

const SCHEMAS = ['flat', 'geoip2'];

const Text = (description: string, maxLength = 255) =>
  Parameter({ type: String, description, maxLength }, IsOptional(), IsString(), MaxLength(maxLength));

/** @param separator of the names in a single text */
const Names = (description: string, separator?: RegExp) =>
  Parameter(
    { type: [String], description },
    Transform(({ value }: { value: unknown }) =>
      value === undefined ? undefined : toList(value, separator),
    ),
    IsOptional(),
    IsArray(),
    IsString({ each: true }),
    MaxLength(255, { each: true }),
  );

/** Values may contain blanks and commas, so each pair is a parameter of its own. */
const Pairs = (description: string) =>
  Parameter(
    { type: [String], description },
    Transform(({ value }: { value: unknown }) => (value === undefined ? undefined : [value].flat())),
    IsOptional(),
    IsArray(),
    IsString({ each: true }),
    MaxLength(1024, { each: true }),
  );

/** A switch, or names with types. */
const Types = (description: string) =>
  Parameter(
    {
      type: String,
      oneOf: [{ type: 'boolean' }, { type: 'array', items: { type: 'string' } }],
      description,
    },
    Transform(({ value }: { value: unknown }) =>
      value === undefined ? undefined : (toSwitch(value) ?? toList(value)),
    ),
    ValidateIf((_, value) => value !== undefined && typeof value !== 'boolean'),
    IsArray(),
    IsString({ each: true, message: 'types must be a boolean or pairs such as asn=uint32' }),
    MaxLength(255, { each: true }),
  );

/** @param usual what applies if it is not given; in words unless it is a single value */
const OneOf = (values: readonly string[], description: string, usual?: string) =>
  Parameter(
    { enum: [...values], ...(usual !== undefined && { default: usual }), description },
    IsOptional(),
    IsIn(values),
  );

function toList(value: unknown, separator?: RegExp): unknown {
  return typeof value === 'string' ? splitList(value, separator) : [value].flat();
}

/** Options of every build, as a JSON body or as the query of a request whose body is the input. */
export class BuildParameters extends GuardParameters {
  @Text('The input file in the configured folder, or a name for the uploaded input.')
  readonly file_name?: string;

  @Text('Name of the lookup (default: the file name without .csv, .gz and .zip).', 128)
  readonly lookup_name?: string;

  @Text('Alias of lookup_name; pass only one of them.', 128)
  readonly zone_name?: string;

  @Names('Value columns to leave out, as a list or separated by commas.')
  readonly drop_columns?: string[];

  @Names('The only value columns to store, as a list or separated by commas.')
  readonly keep_columns?: string[];

  @Names('Columns to store by other names, such as country=country_code, as a list or separated by commas.')
  readonly rename?: string[];

  @Pairs('Columns with the same value in every record, such as source=dbip.')
  readonly set?: string[];

  @Switch('Build a lookup for IPv4 addresses only.')
  readonly force_ipv4?: boolean;

  @Types('Store known columns as numbers, or columns by the types given, such as asn=uint32.')
  readonly types?: boolean | string[];

  @Switch('Gzip the lookup file.')
  readonly gzip?: boolean;

  @Switch('Skip invalid rows instead of failing.')
  readonly skip_invalid?: boolean;

  @OneOf(
    ['later', 'specific', 'error'],
    'Where rows overlap: the later row in the file wins (`later`), the row with fewer addresses wins (`specific`), or the build fails (`error`).',
    'later',
  )
  readonly overlap?: 'later' | 'specific' | 'error';

  @Switch('The same as overlap=error.')
  readonly strict?: boolean;

  @Parameter(
    {
      type: Number,
      minimum: 0,
      description: 'Build time in seconds since 1970 (default: SOURCE_DATE_EPOCH of the server, or now).',
    },
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value,
    ),
    IsOptional(),
    IsInt(),
    Min(0),
    Max(999_999_999_999),
  )
  readonly build_epoch?: number;
}

/** Options for files in any of many forms. */
class TableBuildParameters extends BuildParameters {
  @Text('Column separator: one character, or tab (default: comma).', 3)
  readonly separator?: string;

  @Names('Names of all columns in order; the address columns may be omitted.', /\s+/)
  readonly column_names?: string[];

  @OneOf(SCHEMAS, "geoip2: MaxMind's nested records, which some readers require.", 'flat')
  readonly schema?: 'flat' | 'geoip2';

  @Pairs(
    'CSV files in the configured folder whose columns are added to the rows, such as Locations.csv:geoname_id.',
  )
  readonly join?: string[];

  @Switch('Add ip_from and ip_to to the values.')
  readonly include_ip_range?: boolean;
}

/** Options for CSV files with a header. */
export class CsvBuildParameters extends TableBuildParameters {
  @OneOf(FORMATS.map(({ name }) => name), 'Format of addresses (default: ipv6).')
  readonly input_ip_format?: BuildFlags['inputIpFormat'];

  @Switch('False if the first row is data; requires column_names.')
  readonly header?: boolean;
}

/** Options for a vendor's files, whose columns and format are inferred from their names or first rows. */
export class VendorBuildParameters extends TableBuildParameters {
  @OneOf(
    FORMATS.filter(({ vendor }) => vendor).map(({ name }) => name),
    'Format of addresses (default: inferred from the file name or the first rows).',
  )
  readonly input_ip_format?: BuildFlags['inputIpFormat'];

  @Switch('Keep rows in which every value is "-", and keep "-" as a value.')
  readonly keep_empty_rows?: boolean;

  @OneOf(['all', 'any'], 'Leave out rows in which all values or any value is "-".')
  readonly empty_rows?: 'all' | 'any';
}

/** Options for MaxMind's databases, whose files have headers. */
export class MaxmindBuildParameters extends BuildParameters {
  @Names("Languages of the places' names, such as en or pt-BR (default: en).", /[\s,]+/)
  @ArrayMaxSize(16)
  readonly language?: string[];

  @OneOf(SCHEMAS, "geoip2: MaxMind's nested records; flat: MaxMind's columns by their names.", 'geoip2')
  readonly schema?: 'flat' | 'geoip2';
}

/** Converts the options to those of the command line; absent ones stay absent. */
export function toBuildFlags({ file_name, ...parameters }: BuildParameters): BuildFlags {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [toCamelCase(name), value])) as BuildFlags;
}

/** `include_ip_range` is `includeIpRange` on the command line. */
function toCamelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
