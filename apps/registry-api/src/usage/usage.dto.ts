import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { MATCH_KINDS, type MatchKind } from '@svc/client-metadata';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { ToInteger } from '../http/query-values.js';

const DEFAULT_DAYS = 30;
const MAX_DAYS = 36_500;

/** Query of `GET /client/{client_id}/usage`. */
export class UsageQuery {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: MAX_DAYS,
    default: DEFAULT_DAYS,
    description:
      'How many days (UTC) to add up, including the current one. Old days are kept by month, and months count as a whole.',
  })
  @ToInteger()
  @IsInt()
  @Min(1)
  @Max(MAX_DAYS)
  @IsOptional()
  days: number = DEFAULT_DAYS;
}

function ApiInstant(description: string) {
  return ApiProperty({ format: 'date-time', description, example: '2026-11-24T09:12:00.000Z' });
}

/** How often, and when first and last. */
export class UseCount {
  @ApiProperty({ type: 'integer', minimum: 1, example: 41 })
  readonly count!: number;

  @ApiInstant('The first in the days that are added up.')
  readonly first_at!: string;

  @ApiInstant('The last one.')
  readonly last_at!: string;
}

/** Accepted requests to one registered redirect URI. */
export class RedirectUriUse {
  @ApiProperty({ example: 'https://shop.example/cb' })
  readonly redirect_uri!: string;

  @ApiProperty({ description: 'Whether it is registered now.', example: true })
  readonly is_registered!: boolean;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'integer' },
    description: `Accepted requests by how they matched: ${MATCH_KINDS.join(', ')}.`,
    example: { exact: 12 },
  })
  readonly matches!: Readonly<Partial<Record<MatchKind, number>>>;

  @ApiPropertyOptional({ format: 'date-time', description: 'Absent: not in these days.' })
  readonly last_at?: string;
}

/** Accepted requests to URIs that are not registered, which only redirect_uri_validation_method none allows. */
export class OriginUse extends UseCount {
  @ApiProperty({ description: 'Scheme, host and port.', example: 'https://shop.example' })
  readonly origin!: string;
}

/** Requests that were refused for one reason. */
export class RefusalUse extends UseCount {
  @ApiProperty({ description: 'The violated rule.', example: 'no_match' })
  readonly rule!: string;

  @ApiPropertyOptional({
    description: 'Scheme, host and port of the requested URI.',
    example: 'https://shop.example',
  })
  readonly origin?: string;

  @ApiPropertyOptional({
    description: 'The registered URI that matched; with `difference`, the one that nearly did.',
    example: 'https://shop.example/cb',
  })
  readonly redirect_uri?: string;

  @ApiPropertyOptional({ example: 'a slash at the end' })
  readonly difference?: string;
}

/** Accepted requests with one value. */
export class ValueUse extends UseCount {
  @ApiProperty({ example: 'S256' })
  readonly value!: string;
}

/** Successful checks of one secret. */
export class SecretUseCount {
  @ApiProperty({ description: 'Its last 4 characters.', example: 'bA1s' })
  readonly hint!: string;

  @ApiInstant('When it was created.')
  readonly created_at!: string;

  @ApiProperty({ type: 'integer', minimum: 0, example: 12 })
  readonly count!: number;

  @ApiPropertyOptional({ format: 'date-time', description: 'Absent: never.' })
  readonly last_used_at?: string;
}

/** Requests and checks of secrets in one day or month. */
export class PeriodUse {
  @ApiProperty({ description: 'A day or, of old counts, a month; in UTC.', example: '2026-11-24' })
  readonly period!: string;

  @ApiProperty({ type: 'integer', minimum: 0, example: 512 })
  readonly accepted!: number;

  @ApiProperty({ type: 'integer', minimum: 0, example: 41 })
  readonly refused!: number;
}

/** How a Client is used. */
export class ClientUsageReport {
  @ApiProperty({ description: 'Whether this registry records uses now.', example: true })
  readonly is_recorded!: boolean;

  @ApiPropertyOptional({ format: 'date-time', description: 'When recording began; absent: it never did.' })
  readonly recorded_since?: string;

  @ApiProperty({ description: 'The first day that is added up.', example: '2026-10-26' })
  readonly from!: string;

  @ApiProperty({
    type: [String],
    description: 'Days whose counts are or may be incomplete; this always includes the current day.',
    example: ['2026-11-24'],
  })
  readonly incomplete_days!: readonly string[];

  @ApiPropertyOptional({
    format: 'date-time',
    description: 'When a request or a secret was last accepted; absent: never.',
  })
  readonly last_used_at?: string;

  @ApiPropertyOptional({ format: 'date-time', description: 'When one was last rejected; absent: never.' })
  readonly last_refused_at?: string;

  @ApiProperty({ type: [RedirectUriUse], description: 'The registered ones first, in their order.' })
  readonly redirect_uris!: readonly RedirectUriUse[];

  @ApiProperty({ type: [OriginUse], description: 'The most frequent first, at most 200.' })
  readonly origins!: readonly OriginUse[];

  @ApiProperty({ type: [RefusalUse], description: 'The most frequent first, at most 200.' })
  readonly refusals!: readonly RefusalUse[];

  @ApiProperty({ type: [ValueUse], description: 'PKCE methods of accepted requests.' })
  readonly pkce!: readonly ValueUse[];

  @ApiProperty({ type: [ValueUse], description: 'Response types of accepted requests.' })
  readonly response_types!: readonly ValueUse[];

  @ApiProperty({ type: [SecretUseCount], description: 'The valid secrets, newest first.' })
  readonly secrets!: readonly SecretUseCount[];

  @ApiProperty({ type: [PeriodUse], description: 'Oldest first; periods without any are left out.' })
  readonly periods!: readonly PeriodUse[];
}
