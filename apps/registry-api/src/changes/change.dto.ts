import { ApiProperty, ApiPropertyOptional, ApiSchema, getSchemaPath } from '@nestjs/swagger';
import type { ClientDocument } from '@svc/client-metadata';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { CHANGE_KINDS, type ChangeKind } from '../clients/client-change.entity.js';
import { Actor } from '../http/current-actor.js';
import { ToInteger } from '../http/query-values.js';
import { schemaRef } from '../openapi/operation-parts.js';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 500;

/** Query of `GET /clients/changes`. */
export class ListChangesQuery {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    description:
      'The last change seen: later ones follow. Without it a page begins with the oldest change that is kept, and a ' +
      'stream with the next one to come.',
  })
  @ToInteger()
  @IsInt()
  @Min(0)
  @Max(Number.MAX_SAFE_INTEGER)
  @IsOptional()
  since?: number;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: MAX_LIMIT,
    default: DEFAULT_LIMIT,
    description: 'Changes per page; a stream has no end.',
  })
  @ToInteger()
  @IsInt()
  @Min(1)
  @Max(MAX_LIMIT)
  @IsOptional()
  limit: number = DEFAULT_LIMIT;
}

/** One change of one Client as callers see it, in the feed and in a Client's history. */
@ApiSchema({ name: 'Change' })
export class ChangeDocument {
  @ApiProperty({
    type: 'integer',
    description: 'Later changes have higher numbers; some numbers are never used.',
    example: 42,
  })
  readonly seq!: number;

  @ApiProperty({ example: 'shop-web' })
  readonly client_id!: string;

  @ApiProperty({ enum: CHANGE_KINDS })
  readonly kind!: ChangeKind;

  @ApiProperty({ format: 'date-time', example: '2026-11-21T08:00:00.000Z' })
  readonly at!: string;

  @ApiProperty({ description: 'Who made the change.' })
  readonly actor!: Actor;
}

/** A change as the feed shows it. */
export class FeedChange extends ChangeDocument {
  @ApiProperty({
    oneOf: [schemaRef('Client'), { type: 'null' }],
    description:
      'The Client as it is when the change is read, never as it was before the change; null when it no longer exists.',
  })
  readonly client!: ClientDocument | null;
}

/** A page of changes. */
export class ChangeList {
  @ApiProperty({ type: [FeedChange] })
  readonly changes!: readonly FeedChange[];

  @ApiPropertyOptional({
    type: 'integer',
    description: '`since` of the next page; absent on the last one.',
    example: 42,
  })
  readonly next?: number;

  @ApiProperty({
    type: 'integer',
    description: 'The last change there is: `since` once all pages are read.',
    example: 42,
  })
  readonly last_seq!: number;
}

/** A page or, on request, a stream. */
export const CHANGES_CONTENT = {
  'application/json': { schema: { $ref: getSchemaPath(ChangeList) } },
  'text/event-stream': {
    schema: {
      type: 'string',
      description:
        'An event per change, whose `id` is its `seq` and whose `data` is the change as in a page, on one line.',
      example: 'id: 42\ndata: {"seq":42,"client_id":"shop-web"}\n\n',
    },
  },
};
