import type { Readable } from 'node:stream';
import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiExtraModels, ApiHeader, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { selectsAll } from '@svc/client-metadata';
import { asksFor, preferredFormat } from '@svc/foundation';
import { bearerTokenOf, countAsStream, Problem, RequireScope } from '@svc/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Caller, CurrentCaller } from '../../http/current-caller.js';
import { NDJSON_TYPES } from '../../http/ndjson-types.js';
import { linkHeader } from '../../openapi/operation-parts.js';
import {
  EVENTS_CONTENT,
  ListEventsQuery,
  SecurityEventDocument,
  SecurityEventList,
} from './security-event.dto.js';
import { type EventPosition, parseEventPosition } from './event-position.js';
import { SecurityEventReader } from './security-event-reader.js';
import { type EventReader, SecurityEventStreams } from './security-event-streams.js';

const FORMATS = {
  json: ['application/json'],
  ndjson: NDJSON_TYPES,
} as const;

@ApiTags('audit')
@ApiExtraModels(SecurityEventList, SecurityEventDocument)
@Controller('audit')
export class SecurityEventsController {
  constructor(
    private readonly events: SecurityEventReader,
    private readonly streams: SecurityEventStreams,
  ) {}

  @Get()
  @RequireScope('audit:read')
  @ApiOperation({
    operationId: 'listSecurityEvents',
    summary: 'Read the audit log',
    description:
      'Page by page, latest first; with `Accept: application/x-ndjson` all of them, oldest first; with `Accept: ' +
      'text/event-stream` as a stream that continues as events are recorded.',
  })
  @ApiHeader({
    ...{ name: 'Last-Event-ID', required: false },
    description:
      'For a stream: the `id` of the last event seen. Without it, the stream begins with the next event.',
  })
  @ApiResponse({
    status: 200,
    description: 'The events.',
    headers: linkHeader('/audit?limit=100&cursor=41'),
    content: EVENTS_CONTENT,
  })
  @ApiResponse({
    status: 403,
    description:
      'The token lacks the scope that WWW-Authenticate names, or reaches only some clients; or ADMIN_ALLOWED_ZONES keeps the caller out.',
  })
  @ApiResponse({
    status: 410,
    description: 'There is no event `Last-Event-ID`: a restore or failover has undone it.',
  })
  @ApiResponse({
    status: 503,
    description:
      "The database cannot be reached, the service is overloaded, or the server's limit of exports or streams is reached; see Retry-After.",
  })
  async read(
    @Query() query: ListEventsQuery,
    @CurrentCaller() caller: Caller,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SecurityEventList | Readable> {
    // Tokens that reach only some Clients do not get the scope; this check applies should one have it.
    if (!selectsAll(caller.selector)) throw new Problem({ status: 403, detail: UNDIVIDED });
    const { accept } = request.headers;
    void reply.header('vary', 'accept').header('cache-control', 'no-store');
    // The guard has verified the token, so it is there.
    const reader = { id: caller.id, address: caller.address, token: bearerTokenOf(request)! };
    if (asksFor(accept, 'text/event-stream')) return this.stream(query, reader, request, reply);
    if (preferredFormat(accept, FORMATS) !== 'ndjson') return this.page(query, caller, request, reply);
    void reply.header('content-type', 'application/x-ndjson; charset=utf-8');
    return this.streams.export(query, reader);
  }

  private async page(
    query: ListEventsQuery,
    { id }: Caller,
    { url }: FastifyRequest,
    reply: FastifyReply,
  ): Promise<SecurityEventList> {
    const page = await this.events.page(query, query.limit, id, query.cursor);
    if (page.next !== undefined) {
      const next = new URLSearchParams(url.split('?')[1]);
      next.set('cursor', String(page.next));
      void reply.header('link', `</audit?${next.toString()}>; rel="next"`);
    }
    return page;
  }

  private async stream(
    query: ListEventsQuery,
    reader: EventReader,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<Readable> {
    const stream = await this.streams.open(lastEventIdOf(request), query, reader);
    countAsStream(reply.raw);
    // Without it nginx buffers events.
    void reply.headers({ 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' });
    return stream;
  }
}

const UNDIVIDED =
  'The audit log concerns all clients, and the token reaches only some; use a token without selector and client_id.';

/** @throws {Problem} 400 when it is not the id of an event */
function lastEventIdOf({ headers }: FastifyRequest): EventPosition | undefined {
  const given = headers['last-event-id'];
  if (given === undefined || given === '') return undefined;
  const position = typeof given === 'string' ? parseEventPosition(given) : undefined;
  if (position) return position;
  const message = 'Last-Event-ID must be the id of an event from this stream';
  const errors = [{ field: '/Last-Event-ID', code: 'lastEventId', message }];
  throw new Problem({ status: 400, detail: `${message}.`, errors });
}
