import { ApiExtraModels, ApiProperty, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import {
  type AssertionUse,
  MATCH_KINDS,
  type MatchKind,
  PKCE_KINDS,
  type PkceKind,
  type RefusedSecretUse,
  type RequestUse,
  type UsageBatch,
  type UsageRow,
} from '@svc/client-metadata';
import { Type, type TypeHelpOptions } from 'class-transformer';
import {
  ArrayMaxSize,
  Equals,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsISO8601,
  IsObject,
  IsOptional,
  IsString,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { ASSERTION_RULES } from '../assertions/verify-assertion.js';

/** Rows of a batch that is reported: a request takes up to 1 MiB. */
export const MAX_REPORTED_ROWS = 200;

const MAX_URI_LENGTH = 2_048;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/;
const TIME_MESSAGE = { message: '$property must be a time in UTC, such as 2026-11-24T08:00:00.000Z' };

function ApiTime(description: string) {
  return ApiProperty({ format: 'date-time', description, example: '2026-11-24T08:00:00.000Z' });
}

/** An authorization request that another server has decided. */
export class ReportedUse implements RequestUse {
  @ApiProperty({ enum: ['request'] })
  @Equals('request')
  kind!: 'request';

  @ApiPropertyOptional({
    description: 'The violated rule; another word counts as `other`. Absent: it was accepted.',
    example: 'no_match',
  })
  @Matches(/^[a-z][a-z0-9_]{0,63}$/, { message: '$property must be a code such as no_match' })
  @IsOptional()
  refusal?: string;

  @ApiPropertyOptional({
    maxLength: MAX_URI_LENGTH,
    description: 'The registered URI that matched; with `difference`, the one that nearly did.',
    example: 'https://shop.example/cb',
  })
  @IsString()
  @MaxLength(MAX_URI_LENGTH)
  @IsOptional()
  redirect_uri?: string;

  @ApiPropertyOptional({ enum: MATCH_KINDS, description: 'How a registered URI matched.' })
  @IsIn(MATCH_KINDS)
  @IsOptional()
  match?: MatchKind;

  @ApiPropertyOptional({
    maxLength: MAX_URI_LENGTH,
    description: 'Scheme, host and port of a requested URI that is not registered; the rest is cut off.',
    example: 'https://shop.example',
  })
  @IsString()
  @MaxLength(MAX_URI_LENGTH)
  @IsOptional()
  origin?: string;

  @ApiPropertyOptional({ description: 'How it differs from `redirect_uri`.', example: 'a slash at the end' })
  @IsString()
  @MaxLength(64)
  @IsOptional()
  difference?: string;

  @ApiPropertyOptional({
    type: 'boolean',
    description: 'prefix_match would accept it if its origin were registered.',
  })
  @IsBoolean()
  @IsOptional()
  is_clean?: boolean;

  @ApiProperty({ enum: PKCE_KINDS })
  @IsIn(PKCE_KINDS)
  pkce!: PkceKind;

  @ApiProperty({ maxLength: 255, description: '`missing`, `other`, or a response type.', example: 'code' })
  @IsString()
  @Length(1, 255)
  response_type!: string;

  @ApiPropertyOptional({
    type: Boolean,
    enum: [true],
    description: 'Stands for several uses that were too varied to be counted separately.',
  })
  @Equals(true)
  @IsOptional()
  others?: true;
}

const ASSERTION_REFUSALS = [...ASSERTION_RULES, 'other'].map((rule) => `assertion_${rule}`);

/** An assertion by private_key_jwt that another server has verified. */
export class ReportedAssertion implements AssertionUse {
  @ApiProperty({ enum: ['assertion'] })
  @Equals('assertion')
  kind!: 'assertion';

  @ApiPropertyOptional({ enum: ASSERTION_REFUSALS, description: 'The violated rule; absent: it was valid.' })
  @IsIn(ASSERTION_REFUSALS)
  @IsOptional()
  refusal?: string;
}

/** A client_secret that another server has refused without a check. */
export class ReportedSecret implements RefusedSecretUse {
  @ApiProperty({ enum: ['secret'] })
  @Equals('secret')
  kind!: 'secret';

  @ApiProperty({ enum: ['client_disabled'], description: 'The client is disabled.' })
  @Equals('client_disabled')
  refusal!: 'client_disabled';
}

const REPORTED_USES = [ReportedUse, ReportedAssertion, ReportedSecret];

/** Not class-transformer's discriminator, which fails on a list that contains null. */
function reportedClass(row: TypeHelpOptions | undefined): (typeof REPORTED_USES)[number] {
  const { use } = (row?.object ?? {}) as { readonly use?: { readonly kind?: unknown } | null };
  if (use?.kind === 'secret') return ReportedSecret;
  return use?.kind === 'assertion' ? ReportedAssertion : ReportedUse;
}

/** Equal uses of one Client on one day. */
@ApiExtraModels(...REPORTED_USES)
export class ReportedRow implements UsageRow {
  @ApiProperty({ example: 'shop-web' })
  @IsString()
  @Length(1, 255)
  client_id!: string;

  @ApiPropertyOptional({
    format: 'date-time',
    description:
      '`created_at` of the client as it was read. A use is not counted for a later client with the same id.',
    example: '2026-11-20T09:30:00.125Z',
  })
  @IsISO8601()
  @Matches(TIME, TIME_MESSAGE)
  @IsOptional()
  client_created_at?: string;

  @ApiProperty({ oneOf: REPORTED_USES.map((use) => ({ $ref: getSchemaPath(use) })) })
  @IsObject()
  @ValidateNested()
  @Type(reportedClass)
  use!: ReportedUse | ReportedAssertion | ReportedSecret;

  @ApiProperty({ type: 'integer', minimum: 1, maximum: 1_000_000_000, example: 12 })
  @IsInt()
  @Min(1)
  @Max(1_000_000_000)
  count!: number;

  @ApiTime('The first of them.')
  @IsISO8601()
  @Matches(TIME, TIME_MESSAGE)
  first_at!: string;

  @ApiTime('The last of them, on the same day in UTC.')
  @IsISO8601()
  @Matches(TIME, TIME_MESSAGE)
  last_at!: string;
}

/** Body of `POST /clients/usage`. */
export class UsageReport implements UsageBatch {
  @ApiProperty({
    maxLength: 64,
    description: 'Unique. A batch that is sent again counts once.',
    example: '0c7a2e4e-8f0f-4a39-9d3e-3a2f6b1f9c55',
  })
  @Matches(/^[\x21-\x7e]{1,64}$/, { message: '$property must be 1 to 64 visible ASCII characters' })
  batch_id!: string;

  @ApiProperty({
    maxLength: 64,
    description: 'The process that counts. Its intervals must follow each other without a gap.',
    example: 'b1d1e1c2-6f5b-4f0e-8f5c-7f9a0e2d4c11',
  })
  @Matches(/^[\x21-\x7e]{1,64}$/, { message: '$property must be 1 to 64 visible ASCII characters' })
  reporter!: string;

  @ApiTime('Start of the interval: the end of the previous one.')
  @IsISO8601()
  @Matches(TIME, TIME_MESSAGE)
  from!: string;

  @ApiTime('End of the interval, at most 24 hours ago; equal to `from` if further batches of it follow.')
  @IsISO8601()
  @Matches(TIME, TIME_MESSAGE)
  to!: string;

  @ApiPropertyOptional({
    type: Boolean,
    enum: [true],
    description: 'The process is ending; this is its last interval.',
  })
  @Equals(true)
  @IsOptional()
  is_final?: true;

  @ApiPropertyOptional({ type: Boolean, enum: [true], description: 'Uses of the interval are missing.' })
  @Equals(true)
  @IsOptional()
  is_incomplete?: true;

  @ApiProperty({ type: [ReportedRow], maxItems: MAX_REPORTED_ROWS })
  @IsArray()
  @ArrayMaxSize(MAX_REPORTED_ROWS)
  @ValidateNested({ each: true })
  @Type(() => ReportedRow)
  rows!: ReportedRow[];
}

/** Response of `POST /clients/usage`. */
export class UsageReceipt {
  @ApiProperty({ description: 'False: this registry does not record how clients are used.', example: true })
  readonly recorded!: boolean;
}
