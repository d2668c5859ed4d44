import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { AddressRecord } from '../files/lookup.dto.js';
import { Switch } from '../build/switch-parameter.js';

/** The most addresses of a request. */
const MAX_ADDRESSES = 10_000;

export class AddressList {
  @ApiProperty({
    type: [String],
    maxItems: MAX_ADDRESSES,
    description: 'IPv4 or IPv6 addresses.',
    example: ['10.1.2.3', '192.0.2.1'],
  })
  @IsArray()
  @ArrayMaxSize(MAX_ADDRESSES)
  @IsString({ each: true })
  @MaxLength(64, { each: true })
  readonly ips!: string[];
}

export class AddressRecords {
  @ApiProperty({ type: [AddressRecord] })
  readonly addresses!: readonly AddressRecord[];
}

export class InspectQuery {
  @ApiPropertyOptional({
    maxLength: 255,
    description: 'Count by this column (default: the first); a dotted path for nested records.',
    example: 'site',
  })
  @IsOptional()
  @IsString()
  @MaxLength(255)
  readonly column?: string;
}

export class DumpQuery {
  @Switch('One column of networks instead of ip_from and ip_to.')
  readonly cidr?: boolean;
}

export class DiffQuery {
  @ApiPropertyOptional({
    type: Number,
    minimum: 0,
    maximum: 1000,
    default: 20,
    description: 'Maximum number of networks to list.',
  })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(0)
  @Max(1000)
  readonly limit?: number;
}

const COUNT = { networks: 2, addresses: 131_072 };

const ApiCounts = (example: object) =>
  ApiProperty({ type: 'object', additionalProperties: { type: 'number' }, example });

/** A summary of a lookup file. */
export class InspectionDocument {
  @ApiProperty({ example: 'sites.mmdb' })
  readonly file!: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    example: {
      database_type: 'sites',
      build_epoch: 1_763_712_000,
      ip_version: 6,
      node_count: 226,
      record_size: 24,
    },
  })
  readonly metadata!: object;

  @ApiProperty({ type: 'integer', example: 1757 })
  readonly bytes!: number;

  @ApiProperty({ type: 'integer', description: 'Distinct records.', example: 2 })
  readonly records!: number;

  @ApiCounts(COUNT)
  readonly ipv4!: object;

  @ApiCounts({ networks: 0, addresses: 0 })
  readonly ipv6!: object;

  @ApiProperty({ description: 'The column by which coverage is counted.', example: 'site' })
  readonly column!: string;

  @ApiProperty({
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    description: 'Coverage of each value, largest first.',
    example: [{ value: 'Depot', ipv4: COUNT, ipv6: { networks: 0, addresses: 0 } }],
  })
  readonly groups!: readonly object[];
}

/** What verification found. */
export class VerificationDocument {
  @ApiProperty({ example: 'sites.mmdb' })
  readonly file!: string;

  @ApiProperty({ example: true })
  readonly valid!: boolean;

  @ApiProperty({
    type: [String],
    description: 'The first problems found; problem_count counts all of them.',
    example: [],
  })
  readonly problems!: readonly string[];

  @ApiProperty({ type: 'integer', example: 0 })
  readonly problem_count!: number;

  @ApiProperty({ type: [String], description: 'Valid, but unsupported by some readers.', example: [] })
  readonly warnings!: readonly string[];

  @ApiProperty({ type: 'integer', example: 7 })
  readonly records!: number;
}

/** The differences of two lookups. */
export class DiffDocument {
  @ApiProperty({ example: 'sites.mmdb' })
  readonly old!: string;

  @ApiProperty({ example: 'sites.mmdb' })
  readonly new!: string;

  @ApiCounts({ added: 0, removed: 0, changed: 0 })
  readonly ipv4!: object;

  @ApiCounts({ added: 0, removed: 0, changed: 0 })
  readonly ipv6!: object;

  @ApiProperty({
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    description: 'The first networks that differ, each with the record before and after.',
    example: [],
  })
  readonly differences!: readonly object[];
}

/** Where the values of an address come from. */
export class ExplanationDocument {
  @ApiProperty({ example: 'sites' })
  readonly lookup!: string;

  @ApiProperty({ example: '10.1.2.3' })
  readonly ip!: string;

  @ApiProperty({
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    description:
      'Each value with its column, its source, and the line in it, which is absent for lookup files and for sources that have changed since.',
    example: [{ column: 'site', value: 'Depot', line: 2, source: 'sites.csv' }],
  })
  readonly values!: readonly object[];
}
