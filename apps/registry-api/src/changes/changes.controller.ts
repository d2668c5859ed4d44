import { asksFor } from '@svc/foundation';
import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiExtraModels, ApiHeader, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { bearerTokenOf, countAsStream, Problem, RequireScope } from '@svc/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Actor, CurrentActor } from '../http/current-actor.js';
import { linkHeader } from '../openapi/operation-parts.js';
import { ChangeReader } from './change-reader.js';
import type { ChangeStream } from './change-stream.js';
import { ChangeStreams } from './change-streams.js';
import { ChangeList, CHANGES_CONTENT, ListChangesQuery } from './change.dto.js';
import { FOLLOW_SCOPE } from './stream-access.js';

@ApiTags('clients')
@ApiExtraModels(ChangeList)
@Controller('clients/changes')
export class ChangesController {
  constructor(
    private readonly changes: ChangeReader,
    private readonly streams: ChangeStreams,
  ) {}

  @Get()
  @RequireScope(FOLLOW_SCOPE)
  @ApiOperation({
    operationId: 'listChanges',
    summary: 'Read the changes of all Clients in order',
    description:
      'Page by page or, with `Accept: text/event-stream`, as a stream that goes on as changes happen.',
  })
  @ApiHeader({
    name: 'Last-Event-ID',
    required: false,
    description: 'For a stream: the last change seen. Takes precedence over `since`.',
  })
  @ApiResponse({
    status: 200,
    description: 'The changes, oldest first.',
    headers: linkHeader('/clients/changes?since=42&limit=100'),
    content: CHANGES_CONTENT,
  })
  @ApiResponse({ status: 410, description: 'Some of these changes are no longer kept.' })
  @ApiResponse({ status: 503, description: 'The server has as many streams open as it can serve.' })
  async read(
    @Query() { since, limit }: ListChangesQuery,
    @CurrentActor() reader: Actor,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ChangeList | ChangeStream> {
    if (!wantsStream(request)) return this.page(since, limit, reply);
    // The guard has verified the token, so it is there.
    const stream = await this.streams.open(lastEventIdOf(request) ?? since, bearerTokenOf(request)!, reader);
    countAsStream(reply.raw);
    // Without it nginx buffers events.
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
  return asksFor(headers.accept, 'text/event-stream');
}

/**
 * The last change that the reader of a stream has seen (WHATWG HTML section 9.2.4).
 *
 * @throws {Problem} 400 when it is not the number of a change
 */
function lastEventIdOf({ headers }: FastifyRequest): number | undefined {
  const given = headers['last-event-id'];
  if (given === undefined || given === '') return undefined;
  if (typeof given === 'string' && /^\d{1,15}$/.test(given)) return Number(given);
  const message = 'Last-Event-ID must be the number of a change';
  throw new Problem({
    status: 400,
    detail: `${message}.`,
    errors: [{ field: '/Last-Event-ID', code: 'lastEventId', message }],
  });
}
