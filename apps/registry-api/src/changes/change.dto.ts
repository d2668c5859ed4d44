import { ApiProperty, ApiPropertyOptional, ApiSchema, getSchemaPath } from '@nestjs/swagger';
import { type ClientDocument, type Capabilities, selects } from '@svc/client-metadata';
import { IsInt, IsOptional, Matches, Max, Min } from 'class-validator';
import { formatPosition, POSITION } from '../clients/change-position.js';
import { CHANGE_KINDS, type ChangeKind } from '../clients/client-change.entity.js';
import { Actor } from '../http/current-caller.js';
import { ToInteger } from '../http/query-values.js';
import type { FeedView } from './feed-view.js';
import { schemaRef } from '../openapi/operation-parts.js';
import { toClientDocument, withoutActors } from '../clients/client-document.js';
import type { StoredClient } from '../clients/stored-client.js';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 500;

/** Query of `GET /clients/changes`. */
export class ListChangesQuery {
  @ApiPropertyOptional({
    type: 'string',
    pattern: POSITION.source,
    description:
      'The last change seen, from `cursor`, `next`, `last_seq`, an event id or `Change-Seq`: later changes follow. 0: from ' +
      'the first change on. Without it, a page begins with the oldest change that is kept, and a stream with the next one.',
    example: '42-9f86d081884c',
  })
  @Matches(POSITION)
  @IsOptional()
  since?: string;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: MAX_LIMIT,
    description:
      'Return only this many of the newest changes. Not together with `since`, and not for a stream.',
  })
  @ToInteger()
  @IsInt()
  @Min(1)
  @Max(MAX_LIMIT)
  @IsOptional()
  newest?: number;

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

/** One change of one Client, without who made it. */
class AnonymousChange {
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
}

/** One change of one Client as its history shows it. */
@ApiSchema({ name: 'Change' })
export class ChangeDocument extends AnonymousChange {
  @ApiProperty({ description: 'Who made the change.' })
  readonly actor!: Actor;
}

/** A change as the feed shows it. */
export class FeedChange extends AnonymousChange {
  @ApiPropertyOptional({ description: 'Who made the change; absent without the scope clients:read.' })
  readonly actor?: Actor;

  @ApiProperty({
    oneOf: [schemaRef('Client'), { type: 'null' }],
    description:
      'The client as it is when the change is read, never as it was before the change; null when it no longer exists, or ' +
      'the token no longer reaches it.',
  })
  readonly client!: ClientDocument | null;

  @ApiProperty({
    description: 'This change as `since` names it: its number and a random mark. Treat it as opaque.',
    example: '42-9f86d081884c',
  })
  readonly cursor!: string;
}

/** A page of changes. */
export class ChangeList {
  @ApiProperty({ type: [FeedChange] })
  readonly changes!: readonly FeedChange[];

  @ApiPropertyOptional({
    description: '`since` of the next page; absent on the last one.',
    example: '42-9f86d081884c',
  })
  readonly next?: string;

  @ApiProperty({
    description: 'The latest change: use it as `since` once you have read all pages.',
    example: '42-9f86d081884c',
  })
  readonly last_seq!: string;
}

/** A page or, on request, a stream. */
export const CHANGES_CONTENT = {
  'application/json': { schema: { $ref: getSchemaPath(ChangeList) } },
  'text/event-stream': {
    schema: {
      type: 'string',
      description:
        'An event per change, whose `id` is its `cursor` and whose `data` is the change as in a page, on one line.',
      example: 'id: 42-9f86d081884c\ndata: {"seq":42,"client_id":"shop-web"}\n\n',
    },
  },
};

/** A stored change, without what it did to the metadata. */
export interface ChangeRow {
  /** A bigint, as the driver gives it. */
  readonly changeSeq: string;
  readonly changeMark: string;
  readonly changedClientId: string;
  readonly kind: ChangeKind;
  readonly at: Date;
  readonly actorId: string;
  readonly actorName: string;
  readonly address: string;
  /** The Client's labels after the change, or before its deletion; null if unknown. */
  readonly changeLabels: Readonly<Record<string, string>> | null;
  /** Those before the change; null where it did not change them. */
  readonly changeLabelsBefore: Readonly<Record<string, string>> | null;
}

/** Columns of `client_change ch` under the names of `ChangeRow`. */
export const CHANGE_COLUMNS = `
  ch.seq AS "changeSeq", ch.mark AS "changeMark", ch.client_id AS "changedClientId", ch.kind, ch.at,
  ch.actor_id AS "actorId", ch.actor_name AS "actorName", ch.address, ch.labels AS "changeLabels",
  ch.labels_before AS "changeLabelsBefore"`;

/** The one place that defines how callers see a change. */
export function toChangeDocument(change: ChangeRow): ChangeDocument {
  const { changeSeq, changedClientId, kind, at, actorId, actorName, address } = change;
  return {
    seq: Number(changeSeq),
    client_id: changedClientId,
    kind,
    at: at.toISOString(),
    actor: { id: actorId, name: actorName, address },
  };
}

/** A change and its Client, whose columns are null when it no longer exists. */
export type FeedChangeRow = ChangeRow & (StoredClient | { readonly clientId: null });

/** Whether the Client still exists, and the reader reaches it. */
export function showsClient(
  stored: FeedChangeRow,
  { selector }: FeedView,
): stored is ChangeRow & StoredClient {
  return stored.clientId !== null && selects(selector, stored);
}

export function toFeedChange(stored: FeedChangeRow, capabilities: Capabilities, view: FeedView): FeedChange {
  const client = showsClient(stored, view) ? toClientDocument(stored, capabilities) : null;
  const cursor = formatPosition({ seq: Number(stored.changeSeq), mark: stored.changeMark });
  const { actor, ...change } = toChangeDocument(stored);
  if (view.seesActors) return { ...change, actor, client, cursor };
  return { ...change, client: client && withoutActors(client), cursor };
}
