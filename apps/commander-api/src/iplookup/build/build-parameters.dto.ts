import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { INPUT_FORMATS, type InputFormat } from '@svc/iplookup-core';
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
import type { BuildFlags } from './build-flags.js';
import { GuardParameters } from './guard-parameters.dto.js';
import { Switch, toSwitch } from './switch-parameter.js';

const FORMATS = [...INPUT_FORMATS.values()];

const Text = (description: string, maxLength = 255) =>
  applyDecorators(
    ApiPropertyOptional({ description, maxLength }),
    IsOptional(),
    IsString(),
    MaxLength(maxLength),
  );

const Names = (description: string) =>
  applyDecorators(
    ApiPropertyOptional({ type: [String], description }),
    Transform(({ value }: { value: unknown }) =>
      value === undefined ? undefined : [value].flat().flatMap(toWords),
    ),
    IsOptional(),
    IsArray(),
    IsString({ each: true }),
    MaxLength(255, { each: true }),
  );

/** Values may contain blanks and commas, so each pair is a parameter of its own. */
const Pairs = (description: string) =>
  applyDecorators(
    ApiPropertyOptional({ type: [String], description }),
    Transform(({ value }: { value: unknown }) => (value === undefined ? undefined : [value].flat())),
    IsOptional(),
    IsArray(),
    IsString({ each: true }),
    MaxLength(1024, { each: true }),
  );

/** A switch, or names with types. */
const Types = (description: string) =>
  applyDecorators(
    ApiPropertyOptional({
      oneOf: [{ type: 'boolean' }, { type: 'array', items: { type: 'string' } }],
      description,
    }),
    Transform(({ value }: { value: unknown }) =>
      value === undefined ? undefined : (toSwitch(value) ?? [value].flat().flatMap(toWords)),
    ),
    ValidateIf((_, value) => value !== undefined && typeof value !== 'boolean'),
    IsArray(),
    IsString({ each: true, message: 'types must be a boolean or pairs such as asn=uint32' }),
    MaxLength(255, { each: true }),
  );

const OneOf = (formats: readonly InputFormat[], description: string) => {
  const names = formats.map(({ name }) => name);
  return applyDecorators(ApiPropertyOptional({ enum: names, description }), IsOptional(), IsIn(names));
};

function toWords(value: unknown): unknown[] {
  return typeof value === 'string' ? value.split(/\s+/).filter(Boolean) : [value];
}

/** Options of every build, as a JSON body or as the query of a request whose body is the input. */
export class BuildParameters extends GuardParameters {
  @Text('The input file in the configured folder, or a name for the uploaded input.')
  readonly file_name?: string;

  @Text('Column separator: one character, or tab (default: comma).', 3)
  readonly separator?: string;

  @Text('Name of the lookup (default: the file name without .csv, .gz and .zip).', 128)
  readonly lookup_name?: string;

  @Text('Alias of lookup_name; pass only one of them.', 128)
  readonly zone_name?: string;

  @Names('Names of all columns in order; the address columns may be omitted.')
  readonly column_names?: string[];

  @ApiPropertyOptional({
    enum: ['flat', 'geoip2'],
    default: 'flat',
    description: "geoip2: MaxMind's nested records, which some readers require.",
  })
  @IsOptional()
  @IsIn(['flat', 'geoip2'])
  readonly schema?: 'flat' | 'geoip2';

  @Names('Value columns to leave out, as a list or separated by commas.')
  readonly drop_columns?: string[];

  @Names('The only value columns to store, as a list or separated by commas.')
  readonly keep_columns?: string[];

  @Names('Columns to store by other names, such as country=country_code, as a list or separated by commas.')
  readonly rename?: string[];

  @Pairs('Columns with the same value in every record, such as source=dbip.')
  readonly set?: string[];

  @Pairs(
    'CSV files in the configured folder whose columns are added to the rows, such as Locations.csv:geoname_id.',
  )
  readonly join?: string[];

  @Switch('Add ip_from and ip_to to the values.')
  readonly include_ip_range?: boolean;

  @Switch('Build a lookup for IPv4 addresses only.')
  readonly force_ipv4?: boolean;

  @Types('Store known columns as numbers, or columns by the types given, such as asn=uint32.')
  readonly types?: boolean | string[];

  @Switch('Gzip the lookup file.')
  readonly gzip?: boolean;

  @Switch('Skip invalid rows instead of failing.')
  readonly skip_invalid?: boolean;

  @ApiPropertyOptional({
    enum: ['later', 'specific', 'error'],
    default: 'later',
    description:
      'Where rows overlap: the later row in the file wins, the more specific one, which has fewer addresses, or the build fails.',
  })
  @IsOptional()
  @IsIn(['later', 'specific', 'error'])
  readonly overlap?: 'later' | 'specific' | 'error';

  @Switch('The same as overlap=error.')
  readonly strict?: boolean;

  @ApiPropertyOptional({
    type: Number,
    minimum: 0,
    description: 'Build time in seconds since 1970 (default: now).',
  })
  @Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value,
  )
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(999_999_999_999)
  readonly build_epoch?: number;
}

/** Options for CSV files with a header. */
export class CsvBuildParameters extends BuildParameters {
  @OneOf(FORMATS, 'Format of addresses (default: ipv6).')
  readonly input_ip_format?: BuildFlags['inputIpFormat'];

  @Switch('False if the first row is data; requires column_names.')
  readonly header?: boolean;
}

/** Options for a vendor's files, whose columns and format are inferred from their names or first rows. */
export class VendorBuildParameters extends BuildParameters {
  @OneOf(
    FORMATS.filter(({ vendor }) => vendor),
    'Format of addresses (default: inferred from the file name or the first rows).',
  )
  readonly input_ip_format?: BuildFlags['inputIpFormat'];

  @Switch('Keep rows without any value, and "-" as a value.')
  readonly keep_empty_rows?: boolean;

  @ApiPropertyOptional({
    enum: ['all', 'any'],
    description: 'Leave out rows in which all or any values are empty.',
  })
  @IsOptional()
  @IsIn(['all', 'any'])
  readonly empty_rows?: 'all' | 'any';
}

/** Options for MaxMind's databases, whose files have headers. */
export class MaxmindBuildParameters extends OmitType(BuildParameters, [
  'separator',
  'column_names',
  'join',
  'include_ip_range',
  'schema',
]) {
  @Names("Languages of the places' names, such as en or pt-BR (default: en).")
  @ArrayMaxSize(16)
  readonly language?: string[];

  @ApiPropertyOptional({
    enum: ['flat', 'geoip2'],
    default: 'geoip2',
    description: "geoip2: MaxMind's nested records; flat: MaxMind's columns by their names.",
  })
  @IsOptional()
  @IsIn(['flat', 'geoip2'])
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
