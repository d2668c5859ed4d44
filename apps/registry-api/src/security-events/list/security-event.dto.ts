import { ApiProperty, ApiPropertyOptional, ApiSchema, getSchemaPath } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  ArrayUnique,
  IsDate,
  IsIn,
  IsInt,
  IsOptional,
  Matches,
  Max,
  Min,
} from 'class-validator';
import { NumberedPage, NumberedQuery } from '../../http/paging.js';
import { INSTANT, ToInstant, ToInteger } from '../../http/query-values.js';
import { EVENT_KINDS, type EventKind } from '../security-event.js';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;

/** Ids of tokens, users and Clients. */
const ID = /^\P{Cc}{1,512}$/u;

/** Query of `GET /audit`. */
export class ListEventsQuery extends NumberedQuery {
  @ApiPropertyOptional({ enum: EVENT_KINDS, isArray: true, description: 'Repeat it for several kinds.' })
  @Transform(({ value }) => (Array.isArray(value) ? (value as unknown[]) : [value]))
  @ArrayNotEmpty()
  @ArrayMaxSize(EVENT_KINDS.length)
  @ArrayUnique()
  @IsIn(EVENT_KINDS, { each: true })
  @IsOptional()
  kind?: EventKind[];

  @ApiPropertyOptional({ description: 'Id of who did it.', example: '5f1d3a9c0b7e2468' })
  @Matches(ID, { message: 'actor must be 1 to 512 characters without control characters' })
  @IsOptional()
  actor?: string;

  @ApiPropertyOptional({
    description: 'Id of what it was done to: a token or a client.',
    example: 'shop-web',
  })
  @Matches(ID, { message: 'subject must be 1 to 512 characters without control characters' })
  @IsOptional()
  subject?: string;

  @ApiPropertyOptional({ type: 'string', description: 'At or after this time: RFC 3339, or a day in UTC.' })
  @ToInstant()
  @IsDate(INSTANT)
  @IsOptional()
  since?: Date;

  @ApiPropertyOptional({ type: 'string', description: 'Before this time: RFC 3339, or a day in UTC.' })
  @ToInstant()
  @IsDate(INSTANT)
  @IsOptional()
  until?: Date;

  @ApiPropertyOptional({
    ...{ type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT },
    description: 'Events per page; an export and a stream have no pages.',
  })
  @ToInteger()
  @IsInt()
  @Min(1)
  @Max(MAX_LIMIT)
  @IsOptional()
  limit: number = DEFAULT_LIMIT;
}

/** Who did it. */
@ApiSchema({ name: 'EventActor' })
class ActorDocument {
  @ApiProperty({
    description: 'Id of the token, or `oidc:` and the subject of an access token; may be empty.',
    example: '5f1d3a9c0b7e2468',
  })
  readonly id!: string;

  @ApiProperty({
    description: 'The name at the time, chosen by the creator of the token or by the issuer.',
    example: 'deployment pipeline',
  })
  readonly name!: string;

  @ApiProperty({
    description:
      'Where id and name are from: the URL of an issuer, or `token` (an API token), `registration` (a registration access ' +
      'token), `shell` (the command line), `registry` (the registry itself), `none` (an unknown caller), `several` (more ' +
      'callers than are listed one by one).',
    example: 'token',
  })
  readonly source!: string;

  @ApiProperty({ description: 'Address of the request; empty if there was none.', example: '192.0.2.7' })
  readonly address!: string;
}

/** A security event. */
@ApiSchema({ name: 'SecurityEvent' })
export class SecurityEventDocument {
  @ApiProperty({
    type: 'integer',
    description: 'Its place in the audit log; there are no gaps.',
    example: 42,
  })
  readonly seq!: number;

  @ApiProperty({ format: 'date-time', example: '2026-11-21T08:00:00.000Z' })
  readonly at!: string;

  @ApiProperty({ enum: EVENT_KINDS, example: 'token_revoked' })
  readonly kind!: EventKind;

  @ApiProperty()
  readonly actor!: ActorDocument;

  @ApiProperty({
    description: 'Id of a token or client; empty if there is none.',
    example: '5f1d3a9c0b7e2468',
  })
  readonly subject!: string;

  @ApiProperty({
    ...{ type: 'object', additionalProperties: true, example: { name: 'deployment pipeline' } },
    description:
      'By kind. `count` and `until`: how often it happened, and when last, if more than once in a minute.',
  })
  readonly details!: Readonly<Record<string, unknown>>;

  @ApiProperty({
    description: 'Covers the event and all before it; `registry-api audit verify` verifies it.',
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  })
  readonly mac!: string;
}

/** A page of security events. */
export class SecurityEventList extends NumberedPage {
  @ApiProperty({ type: [SecurityEventDocument], description: 'Latest first.' })
  readonly events!: readonly SecurityEventDocument[];
}

/** A page or, on request, an export or a stream. */
export const EVENTS_CONTENT = {
  'application/json': { schema: { $ref: getSchemaPath(SecurityEventList) } },
  'application/x-ndjson': { schema: { $ref: getSchemaPath(SecurityEventDocument) } },
  'text/event-stream': {
    schema: {
      type: 'string',
      description:
        'An event per security event, whose `id` is `<seq>-<mac>` and whose `data` is the event, on one line.',
      example:
        'id: 42-9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08\n' +
        'data: {"seq":42,"kind":"token_revoked"}\n\n',
    },
  },
};
