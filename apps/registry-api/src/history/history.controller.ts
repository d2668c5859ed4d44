import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '@svc/service-kit';
import type { FastifyReply } from 'fastify';
import { type Caller, CurrentCaller } from '../http/current-caller.js';
import { NumberedPageQuery } from '../http/paging.js';
import { CLIENT_ID_PARAM, DATA_AGE, linkHeader, MIN_CHANGE_SEQ_HEADER } from '../openapi/operation-parts.js';
import { HistoryPage, HistoryVersion } from './history.dto.js';
import { HistoryService } from './history.service.js';
import { VersionReader } from './version-reader.js';

@ApiTags('clients')
@Controller('client/:client_id/history')
export class HistoryController {
  constructor(
    private readonly history: HistoryService,
    private readonly versions: VersionReader,
  ) {}

  @Get()
  @RequireScope('clients:read')
  @ApiOperation({
    operationId: 'getClientHistory',
    summary: 'Read the history of a client',
    description: 'Who changed it, when, from where and how; deleted clients keep their history.',
  })
  @ApiParam(CLIENT_ID_PARAM)
  @ApiHeader(MIN_CHANGE_SEQ_HEADER)
  @ApiOkResponse({
    type: HistoryPage,
    description: 'The changes, latest first.',
    headers: { ...linkHeader('/client/shop-web/history?limit=50&cursor=41'), ...DATA_AGE },
  })
  @ApiResponse({ status: 404, description: 'No client has or had this client_id.' })
  async read(
    @Param('client_id') clientId: string,
    @Query() { limit, cursor }: NumberedPageQuery,
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<HistoryPage> {
    const page = await this.history.of(clientId, caller, limit, cursor);
    if (page.next !== undefined) {
      const path = `/client/${encodeURIComponent(clientId)}/history`;
      void reply.header('link', `<${path}?limit=${limit}&cursor=${page.next}>; rel="next"`);
    }
    return page;
  }

  @Get(':seq')
  @RequireScope('clients:read')
  @ApiOperation({
    operationId: 'getClientVersion',
    summary: 'Read a version of a client',
    description: 'Its metadata after one of its changes.',
  })
  @ApiParam(CLIENT_ID_PARAM)
  @ApiParam({ name: 'seq', description: 'Number of the change.', schema: { type: 'integer' }, example: 42 })
  @ApiOkResponse({ type: HistoryVersion, description: 'The change and the version.' })
  @ApiResponse({ status: 404, description: 'The client has no such change.' })
  async version(
    @Param('client_id') clientId: string,
    @Param('seq') seq: string,
    @CurrentCaller() caller: Caller,
  ): Promise<HistoryVersion> {
    return this.versions.read(clientId, seq, caller);
  }
}
