import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import {
  CLIENT_FIELDS,
  type ClientField,
  isLabelValue,
  parseLabel,
  searchWords,
  WARNING_CODES,
} from '@svc/client-metadata';
import { Transform } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  IsBoolean,
  IsDate,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateBy,
} from 'class-validator';
import { MayBeAbsent } from '../../http/may-be-absent.js';
import { INSTANT, ToBoolean, ToInstant, ToInteger } from '../../http/query-values.js';
import { MAX_CURSOR_LENGTH } from './list-cursor.js';
import { type Sort, SORTS } from './page-request.js';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 500;
const MAX_SEARCH_LENGTH = 512;

const MAX_HOST_LENGTH = 253;
const HOST_PART = /^[^\s/?#\p{Cc}]+$/u;

/** Each costs a search. */
const MAX_WORDS = 16;

/** Ten years: longer than any replaced secret lasts. */
const MAX_DAYS = 3_650;

/**
 * The metadata that lists can be filtered by: booleans, and fields with a closed set of values, unless they are optional. A
 * Client's facet, which the trigger `client_listed` maintains, covers the same fields.
 */
export const FILTERABLE_FIELDS: readonly ClientField[] = CLIENT_FIELDS.filter(
  ({ editable, optional, values, type }) =>
    editable === 'always' && !optional && (values !== undefined || type === 'boolean'),
);

/** Every value that a Client may have under any configuration. */
function filterValues({ type, values = [], optionalValues = [] }: ClientField): readonly string[] {
  return type === 'boolean' ? ['true', 'false'] : [...values, ...optionalValues];
}

/** Each costs a condition. */
const MAX_LABELS = 16;

const MANAGERS = ['users', 'developers', 'import'];
const MAX_MANAGER_LENGTH = 67;

/** Sets have names like the values of labels. */
function isManager(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  const set = value.startsWith('set:') ? value.slice('set:'.length) : '';
  return MANAGERS.includes(value) || (set !== '' && isLabelValue(set));
}

/** A filter by labels, which may be repeated. */
function ApiLabels(description: string) {
  return applyDecorators(
    ApiPropertyOptional({
      type: 'string',
      isArray: true,
      minItems: 1,
      maxItems: MAX_LABELS,
      description,
      example: ['team:shop'],
    }),
    Transform(({ value }) => (Array.isArray(value) ? (value as unknown[]) : [value])),
    ArrayNotEmpty(),
    ArrayMaxSize(MAX_LABELS),
    ValidateBy(
      {
        name: 'isLabel',
        validator: {
          validate: (label: unknown) => typeof label === 'string' && parseLabel(label) !== undefined,
          defaultMessage: () => '$property must be a label such as team:shop, or a key such as team',
        },
      },
      { each: true },
    ),
    MayBeAbsent(),
  );
}

/** The filters of a query. Those on metadata are added below, from the table. */
export class ClientFilterQuery {
  @ApiPropertyOptional({
    description:
      'At least one word; all must occur in the name, the client_id, or the host and path of a URI, ignoring case and ' +
      'accents. A word of 1 or 2 characters matches only the beginnings of words. Scheme and query of a URL are ignored.',
    minLength: 1,
    maxLength: MAX_SEARCH_LENGTH,
  })
  @IsString()
  @Length(1, MAX_SEARCH_LENGTH)
  @ValidateBy({
    name: 'hasWord',
    validator: {
      validate: (q: unknown) => typeof q === 'string' && searchWords(q).length > 0,
      defaultMessage: () => 'q must contain a word to search for',
    },
  })
  @ValidateBy({
    name: 'hasFewWords',
    validator: {
      validate: (q: unknown) => typeof q === 'string' && searchWords(q).length <= MAX_WORDS,
      defaultMessage: () => `q must have at most ${MAX_WORDS} words`,
    },
  })
  @Matches(/^\P{Cc}*$/u, { message: 'q must not have control characters' })
  @MayBeAbsent()
  q?: string;

  @ApiPropertyOptional({
    type: 'string',
    description: 'Text that occurs in the host of a redirect URI, ignoring case.',
    minLength: 1,
    maxLength: MAX_HOST_LENGTH,
    example: 'acme',
  })
  @Matches(HOST_PART, { message: 'host must be part of a host name, without spaces and slashes' })
  @MaxLength(MAX_HOST_LENGTH)
  @MayBeAbsent()
  host?: string;

  @ApiPropertyOptional({ type: 'boolean' })
  @ToBoolean()
  @IsBoolean({ message: 'enabled must be true or false' })
  @MayBeAbsent()
  enabled?: boolean;

  @ApiPropertyOptional({
    type: 'boolean',
    description: 'The client came through open registration, and waits for an administrator to enable it.',
  })
  @ToBoolean()
  @IsBoolean({ message: 'pending must be true or false' })
  @MayBeAbsent()
  pending?: boolean;

  @ApiPropertyOptional({ type: 'boolean' })
  @ToBoolean()
  @IsBoolean({ message: 'has_warnings must be true or false' })
  @MayBeAbsent()
  has_warnings?: boolean;

  @ApiPropertyOptional({ enum: WARNING_CODES, description: 'The code of a warning that the client has.' })
  @IsIn(WARNING_CODES)
  @MayBeAbsent()
  warning?: string;

  @ApiLabels(
    '`key:value`, or a key alone for any value: the client has this label. Repeat it to require several.',
  )
  label?: string[];

  @ApiLabels('The same, negated: the client does not have this label.')
  'label!'?: string[];

  @ApiPropertyOptional({
    type: 'string',
    maxLength: MAX_MANAGER_LENGTH,
    description: 'What manages the client: users, developers, import, or set:<name>.',
    example: 'set:shop',
  })
  @ValidateBy({
    name: 'isManager',
    validator: {
      validate: isManager,
      defaultMessage: () => 'managed_by must be users, developers, import or set:<name>',
    },
  })
  @MayBeAbsent()
  managed_by?: string;

  @ApiPropertyOptional({
    type: 'string',
    description: 'Registered at or after this time: RFC 3339, or a day in UTC.',
  })
  @ToInstant()
  @IsDate(INSTANT)
  @MayBeAbsent()
  created_since?: Date;

  @ApiPropertyOptional({
    type: 'string',
    description: 'Last changed at or after this time: RFC 3339, or a day in UTC.',
  })
  @ToInstant()
  @IsDate(INSTANT)
  @MayBeAbsent()
  updated_since?: Date;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: MAX_DAYS,
    description: 'The client is not public, and has a valid secret that expires within this many days.',
  })
  @ToInteger()
  @IsInt()
  @Min(1)
  @Max(MAX_DAYS)
  @MayBeAbsent()
  secret_expires_within?: number;

  @ApiPropertyOptional({
    type: 'boolean',
    description:
      'The client is not public, and has a valid secret that no successful check has used; false: all others.',
  })
  @ToBoolean()
  @IsBoolean({ message: 'secret_never_used must be true or false' })
  @MayBeAbsent()
  secret_never_used?: boolean;

  @ApiPropertyOptional({
    type: 'string',
    description:
      'Registered before this time, and not used since: no request and no secret has been accepted. RFC 3339, or a day in UTC.',
  })
  @ToInstant()
  @IsDate(INSTANT)
  @MayBeAbsent()
  last_used_before?: Date;

  @ApiPropertyOptional({
    type: 'boolean',
    description: 'No request of the client was ever accepted, and no secret; false: all others.',
  })
  @ToBoolean()
  @IsBoolean({ message: 'never_used must be true or false' })
  @MayBeAbsent()
  never_used?: boolean;

  @ApiPropertyOptional({
    type: 'string',
    description: 'A request or a secret was rejected at or after this time: RFC 3339, or a day in UTC.',
  })
  @ToInstant()
  @IsDate(INSTANT)
  @MayBeAbsent()
  refused_since?: Date;
}

for (const field of FILTERABLE_FIELDS) {
  const allowed = [...filterValues(field)];
  ApiPropertyOptional({ enum: allowed, description: filterDescription(field) })(
    ClientFilterQuery.prototype,
    field.name,
  );
  IsIn(allowed)(ClientFilterQuery.prototype, field.name);
  MayBeAbsent()(ClientFilterQuery.prototype, field.name);
  // In a body, booleans need no quotes.
  Transform(({ value }): unknown => (typeof value === 'boolean' ? String(value) : value))(
    ClientFilterQuery.prototype,
    field.name,
  );
}

/** Query of `GET /client`. */
export class ListClientsQuery extends ClientFilterQuery {
  @ApiPropertyOptional({
    enum: SORTS,
    default: 'created_at',
    description: 'A minus sign: descending. Names are sorted ignoring case.',
  })
  @IsIn(SORTS)
  @IsOptional()
  sort: Sort = 'created_at';

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT })
  @ToInteger()
  @IsInt()
  @Min(1)
  @Max(MAX_LIMIT)
  @IsOptional()
  limit: number = DEFAULT_LIMIT;

  @ApiPropertyOptional({ description: '`next` of the previous page, with the same sort and filters.' })
  @IsString()
  @MaxLength(MAX_CURSOR_LENGTH)
  @IsOptional()
  cursor?: string;

  @ApiPropertyOptional({ type: 'boolean', default: false, description: 'Also return the total.' })
  @ToBoolean()
  @IsBoolean({ message: 'count must be true or false' })
  @IsOptional()
  count: boolean = false;
}

function filterDescription({ type, label }: (typeof FILTERABLE_FIELDS)[number]): string {
  if (type === 'boolean') return `${label}; false: false or not set.`;
  return type === 'string[]' ? `${label}: the client's list contains this value.` : `${label}.`;
}
