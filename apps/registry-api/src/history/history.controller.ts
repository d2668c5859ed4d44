import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '@svc/service-kit';
import type { FastifyReply } from 'fastify';
import { schemaRef } from '../openapi/schema-ref.js';
import { HISTORY_PAGE } from './history-schema.js';
import { HistoryQuery } from './history.query.js';
import { type HistoryPage, HistoryService } from './history.service.js';

@ApiTags('clients')
@Controller('client/:client_id/history')
export class HistoryController {
  constructor(private readonly history: HistoryService) {}

  @Get()
  @RequireScope('clients:read')
  @ApiOperation({ summary: 'Who changed a Client, when, from where and how; also of a deleted one.' })
  @ApiResponse({ status: 200, schema: HISTORY_PAGE })
  @ApiResponse({ status: 400, schema: schemaRef('Problem') })
  @ApiResponse({ status: 404, schema: schemaRef('Problem') })
  async read(
    @Param('client_id') clientId: string,
    @Query() { limit, cursor }: HistoryQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<HistoryPage> {
    const page = await this.history.of(clientId, limit, cursor);
    if (page.next !== undefined) {
      const path = `/client/${encodeURIComponent(clientId)}/history`;
      void reply.header('link', `<${path}?limit=${limit}&cursor=${page.next}>; rel="next"`);
    }
    return page;
  }
}
