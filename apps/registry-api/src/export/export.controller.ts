import { preferredFormat } from '@svc/foundation';
import type { Readable } from 'node:stream';
import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiOperation, ApiResponse, ApiTags, ApiPropertyOptional } from '@nestjs/swagger';
import { bearerTokenOf, Problem, RequireScope } from '@svc/service-kit';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, ArrayNotEmpty, ArrayUnique, IsOptional, Matches } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FOLLOW_SCOPES, StreamAccess } from '../changes/stream-access.js';
import { CLIENT_ID } from '../clients/credentials.js';
import { ClientFilterQuery } from '../clients/list/list-clients.query.js';
import { toClientFilter } from '../clients/list/to-client-filter.js';
import { type Caller, CurrentCaller } from '../http/current-caller.js';
import { NDJSON_TYPES } from '../http/ndjson-types.js';
import { DATA_AGE, MIN_CHANGE_SEQ_HEADER, schemaRef } from '../openapi/operation-parts.js';
import { type ExportScope, ExportService } from './export.service.js';

/** The media types of each format in Accept; responses have the first one. */
const FORMATS = {
  ndjson: NDJSON_TYPES,
  csv: ['text/csv'],
} as const;

const CHANGE_SEQ = {
  schema: { type: 'string', example: '42-9f86d081884c' },
  description:
    'The export reflects every change up to this one, and perhaps later ones: `since` of GET /clients/changes.',
} as const;

/** For short ids; fewer long ones fit into a request target, which is limited to 16 KiB. */
const MAX_IDS = 500;

/** Query of `GET /clients/export`. */
export class ExportQuery extends ClientFilterQuery {
  @ApiPropertyOptional({
    type: 'string',
    isArray: true,
    maxItems: MAX_IDS,
    description:
      'Export the clients with these ids, if they exist. Repeat it for each; cannot be combined with other parameters.',
  })
  @Transform(({ value }) => (Array.isArray(value) ? (value as unknown[]) : [value]))
  @ArrayNotEmpty()
  @ArrayMaxSize(MAX_IDS)
  @ArrayUnique()
  @Matches(CLIENT_ID, { each: true, message: 'client_id must be 1 to 255 printable ASCII characters' })
  @IsOptional()
  client_id?: string[];
}

@ApiTags('clients')
@Controller('clients/export')
export class ExportController {
  constructor(
    private readonly exports: ExportService,
    private readonly access: StreamAccess,
  ) {}

  @Get()
  @RequireScope(...FOLLOW_SCOPES)
  @ApiOperation({
    operationId: 'exportClients',
    summary: 'Export clients',
    description:
      'All of them, those that match a filter, or those with given ids; without secrets. NDJSON, or CSV if Accept asks for it.',
  })
  @ApiHeader(MIN_CHANGE_SEQ_HEADER)
  @ApiResponse({
    status: 200,
    description: 'One client per line.',
    headers: { 'Change-Seq': CHANGE_SEQ, ...DATA_AGE },
    content: {
      'application/x-ndjson': { schema: schemaRef('Client') },
      'text/csv': { schema: { type: 'string', example: 'client_id,client_name\nshop-web,Shop\n' } },
    },
  })
  @ApiResponse({ status: 406, description: 'Accept allows neither NDJSON nor CSV.' })
  async read(
    @Query() query: ExportQuery,
    @CurrentCaller() reader: Caller,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Readable> {
    const format = preferredFormat(request.headers.accept, FORMATS);
    if (!format)
      throw new Problem({ status: 406, detail: `An export is ${FORMATS.ndjson[0]} or ${FORMATS.csv[0]}.` });
    const token = await this.access.identify(bearerTokenOf(request)!);
    const { content, position } = await this.exports.open(scopeOf(query, reader), format, reader);
    void reply.headers({
      'content-type': `${FORMATS[format][0]}; charset=utf-8`,
      'content-disposition': `attachment; filename="clients.${format}"`,
      'change-seq': position,
      vary: 'accept',
    });
    return this.access.whileValid(content, token, FOLLOW_SCOPES);
  }
}

function scopeOf(query: ExportQuery, caller: Caller): ExportScope {
  const { client_id: clientIds, ...others } = query;
  if (clientIds === undefined) return { filter: toClientFilter(query, caller) };
  const [other] = Object.entries(others).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (other === undefined) return { clientIds, selector: caller.selector };
  const message = 'client_id cannot be combined with other parameters';
  const errors = [{ field: `/${other}`, code: 'combination', message }];
  throw new Problem({ status: 400, detail: `${other}: ${message}`, errors });
}
