import { asksFor } from '@svc/foundation';
import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiExtraModels, ApiHeader, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { bearerTokenOf, countAsStream, Problem, RequireScope } from '@svc/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ChangePosition, formatPosition, parsePosition } from '../clients/change-position.js';
import { type Caller, CurrentCaller } from '../http/current-caller.js';
import { linkHeader } from '../openapi/operation-parts.js';
import { type ChangePage, ChangeReader } from './change-reader.js';
import type { ChangeStream } from './change-stream.js';
import { ChangeStreams } from './change-streams.js';
import { ChangeList, CHANGES_CONTENT, ListChangesQuery, toFeedChange } from './change.dto.js';
import { RegistrySettings } from '../settings/registry-settings.js';
import type { FeedView } from './feed-view.js';
import { FOLLOW_SCOPES } from './stream-access.js';

@ApiTags('clients')
@ApiExtraModels(ChangeList)
@Controller('clients/changes')
export class ChangesController {
  constructor(
    private readonly changes: ChangeReader,
    private readonly streams: ChangeStreams,
    private readonly settings: RegistrySettings,
  ) {}

  @Get()
  @RequireScope(...FOLLOW_SCOPES)
  @ApiOperation({
    operationId: 'listChanges',
    summary: 'Read the changes of all clients in order',
    description:
      'Page by page or, with `Accept: text/event-stream`, as a stream that continues as changes happen. With the scope ' +
      'clients:follow alone, without who made them.',
  })
  @ApiHeader({
    name: 'Last-Event-ID',
    required: false,
    description: 'For a stream: the last change seen. Takes precedence over `since`.',
  })
  @ApiResponse({
    status: 200,
    description: 'The changes, oldest first.',
    headers: linkHeader('/clients/changes?since=42-9f86d081884c&limit=100'),
    content: CHANGES_CONTENT,
  })
  @ApiResponse({
    status: 410,
    description: 'Some of these changes are no longer kept, or `since` was undone by a restore or failover.',
  })
  @ApiResponse({
    status: 503,
    description:
      "The database cannot be reached, the service is overloaded, or the server's limit of open streams is reached; see Retry-After.",
  })
  async read(
    @Query() query: ListChangesQuery,
    @CurrentCaller() reader: Caller,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ChangeList | ChangeStream> {
    if (!asksFor(request.headers.accept, 'text/event-stream')) return this.page(query, reader, reply);
    if (query.newest !== undefined) throw invalidNewest('newest cannot be used with a stream');
    const since =
      lastEventIdOf(request) ?? (query.since === undefined ? undefined : parsePosition(query.since));
    // The guard has verified the token, so it is there.
    const stream = await this.streams.open(since, bearerTokenOf(request)!, reader);
    countAsStream(reply.raw);
    // Without it nginx buffers events.
    void reply.headers({ 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' });
    return stream;
  }

  private async page(query: ListChangesQuery, view: FeedView, reply: FastifyReply): Promise<ChangeList> {
    const { limit } = query;
    const page = await this.find(query, view);
    const changes = page.changes.map((row) => toFeedChange(row, this.settings.capabilities, view));
    const last_seq = formatPosition(page.last);
    if (!page.next) return { changes, last_seq };
    const next = formatPosition(page.next);
    void reply.header('link', `</clients/changes?since=${next}&limit=${limit}>; rel="next"`);
    return { changes, next, last_seq };
  }

  private async find({ since, newest, limit }: ListChangesQuery, view: FeedView): Promise<ChangePage> {
    if (newest === undefined) {
      return this.changes.page(since === undefined ? undefined : parsePosition(since), limit, view);
    }
    if (since !== undefined) throw invalidNewest('newest cannot be combined with since');
    return this.changes.newest(newest, view);
  }
}

/**
 * The last change that the reader of a stream has seen (WHATWG HTML section 9.2.4).
 *
 * @throws {Problem} 400 when it is not the id of an event
 */
function lastEventIdOf({ headers }: FastifyRequest): ChangePosition | undefined {
  const given = headers['last-event-id'];
  if (given === undefined || given === '') return undefined;
  const position = typeof given === 'string' ? parsePosition(given) : undefined;
  if (position !== undefined) return position;
  const message = 'Last-Event-ID must be the id of an event from this stream';
  throw new Problem({
    status: 400,
    detail: `${message}.`,
    errors: [{ field: '/Last-Event-ID', code: 'lastEventId', message }],
  });
}

function invalidNewest(message: string): Problem {
  return new Problem({
    status: 400,
    detail: `${message}.`,
    errors: [{ field: '/newest', code: 'combination', message }],
  });
}
