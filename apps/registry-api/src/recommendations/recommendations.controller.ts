import type { Readable } from 'node:stream';
import { Controller, Get, Header, Query, Req, Res } from '@nestjs/common';
import { ApiExtraModels, ApiOperation, ApiResponse, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { preferredFormat } from '@svc/foundation';
import { bearerTokenOf, Problem, RequireScope } from '@svc/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { StreamAccess } from '../changes/stream-access.js';
import { toClientFilter } from '../clients/list/to-client-filter.js';
import { type Caller, CurrentCaller } from '../http/current-caller.js';
import { NDJSON_TYPES } from '../http/ndjson-types.js';
import { linkHeader } from '../openapi/operation-parts.js';
import { toRecommendationDocuments } from './recommendation-document.js';
import { RecommendationDocument, RecommendationList, RecommendationsQuery } from './recommendations.dto.js';
import { type RecommendationPage, RecommendationsService } from './recommendations.service.js';

/** The media types of each format in Accept; responses have the first one. */
const FORMATS = {
  json: ['application/json'],
  ndjson: NDJSON_TYPES,
} as const;

const SCOPES = ['clients:read'] as const;

/** What can be tightened in Clients. */
@ApiTags('clients')
@ApiExtraModels(RecommendationDocument, RecommendationList)
@Controller('clients/recommendations')
export class RecommendationsController {
  constructor(
    private readonly recommendations: RecommendationsService,
    private readonly access: StreamAccess,
  ) {}

  @Get()
  @Header('cache-control', 'no-store')
  @Header('vary', 'accept')
  @RequireScope(...SCOPES)
  @ApiOperation({
    operationId: 'listRecommendations',
    summary: 'Recommend stricter settings that would not have rejected any recorded request',
    description:
      'Based on how each client was used, made only where all of the days are recorded, and checked against the recorded requests. Page by page, or all as NDJSON if Accept asks for it.',
  })
  @ApiResponse({
    status: 200,
    description: 'A page of recommendations, or one per line.',
    headers: linkHeader('/clients/recommendations?limit=50&cursor=eyJhZnRlciI6InNob3Atd2ViIn0'),
    content: {
      'application/json': { schema: { $ref: getSchemaPath(RecommendationList) } },
      'application/x-ndjson': { schema: { $ref: getSchemaPath(RecommendationDocument) } },
    },
  })
  @ApiResponse({ status: 406, description: 'Accept allows neither JSON nor NDJSON.' })
  async list(
    @Query() query: RecommendationsQuery,
    @CurrentCaller() caller: Caller,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RecommendationList | Readable> {
    const format = preferredFormat(request.headers.accept, FORMATS);
    if (!format) throw new Problem({ status: 406, detail: 'Recommendations are JSON or NDJSON.' });
    const { kind: kinds, days, limit, cursor } = query;
    const wanted = { filter: { enabled: true, ...toClientFilter(query, caller) }, kinds };
    if (format === 'ndjson') {
      void reply.header('content-type', `${FORMATS.ndjson[0]}; charset=utf-8`);
      const token = await this.access.identify(bearerTokenOf(request)!);
      return this.access.whileValid(this.recommendations.open(wanted, days, caller), token, SCOPES);
    }
    const page = await this.recommendations.page(wanted, days, { limit, cursor });
    if (page.next !== undefined)
      void reply.header('link', `<${nextPath(request.url, page.next)}>; rel="next"`);
    return toList(page);
  }
}

function toList({ clients, days, next }: RecommendationPage): RecommendationList {
  return {
    recommendations: clients.flatMap((examined) => toRecommendationDocuments(examined, days)),
    examined: clients.length,
    unproven: clients.filter(({ recommendations }) => recommendations === undefined).length,
    incomplete_days: [...new Set(clients.flatMap(({ incompleteDays }) => incompleteDays))].sort(),
    ...(next !== undefined && { next }),
  };
}

function nextPath(url: string, cursor: string): string {
  const { pathname, searchParams } = new URL(url, 'http://registry');
  searchParams.set('cursor', cursor);
  return `${pathname}?${searchParams.toString()}`;
}
