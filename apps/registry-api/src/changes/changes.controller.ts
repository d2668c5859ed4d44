import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { bearerTokenOf, countAsStream, RequireScope } from '@svc/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Actor, CurrentActor } from '../http/current-actor.js';
import { schemaRef } from '../openapi/schema-ref.js';
import { ChangeReader } from './change-reader.js';
import { CHANGE_LIST, EVENT_STREAM } from './change-schemas.js';
import type { ChangeStream } from './change-stream.js';
import { ChangeStreams } from './change-streams.js';
import type { FeedChange } from './feed-change.js';
import { lastEventIdOf } from './last-event-id.js';
import { ListChangesQuery } from './list-changes.query.js';
import { FOLLOW_SCOPE } from './stream-access.js';

/** A page of changes. */
interface ChangeList {
  readonly changes: readonly FeedChange[];
  readonly next?: number;
  readonly last_seq: number;
}

@ApiTags('clients')
@Controller('clients/changes')
export class ChangesController {
  constructor(
    private readonly changes: ChangeReader,
    private readonly streams: ChangeStreams,
  ) {}

  @Get()
  @RequireScope(FOLLOW_SCOPE)
  @ApiOperation({
    summary:
      'Every change of every Client in order: page by page, or as a stream with Accept: text/event-stream.',
  })
  @ApiHeader({
    name: 'Last-Event-ID',
    required: false,
    description: 'Of a stream: the last change seen. It counts more than `since`.',
  })
  @ApiResponse({
    status: 200,
    content: { 'application/json': { schema: CHANGE_LIST }, 'text/event-stream': { schema: EVENT_STREAM } },
  })
  @ApiResponse({ status: 400, schema: schemaRef('Problem') })
  @ApiResponse({ status: 410, description: 'Not all of them can be had.', schema: schemaRef('Problem') })
  @ApiResponse({
    status: 503,
    description: 'The server has as many streams open as it serves.',
    schema: schemaRef('Problem'),
  })
  async read(
    @Query() { since, limit }: ListChangesQuery,
    @CurrentActor() reader: Actor,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ChangeList | ChangeStream> {
    if (!wantsStream(request)) return this.page(since, limit, reply);
    // The guard has judged the token, so it is there.
    const stream = await this.streams.open(lastEventIdOf(request) ?? since, bearerTokenOf(request)!, reader);
    countAsStream(reply.raw);
    // The proxy nginx would else keep events back until it has a buffer full of them.
    void reply.headers({ 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' });
    return stream;
  }

  private async page(since: number | undefined, limit: number, reply: FastifyReply): Promise<ChangeList> {
    const { changes, hasMore, lastSeq } = await this.changes.page(since, limit);
    const next = hasMore ? changes.at(-1)?.seq : undefined;
    if (next === undefined) return { changes, last_seq: lastSeq };
    void reply.header('link', `</clients/changes?since=${next}&limit=${limit}>; rel="next"`);
    return { changes, next, last_seq: lastSeq };
  }
}

function wantsStream({ headers }: FastifyRequest): boolean {
  return /(^|,)\s*text\/event-stream\s*($|[;,])/i.test(headers.accept ?? '');
}
