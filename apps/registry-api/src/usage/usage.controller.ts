import { Body, Controller, Get, Header, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '@svc/service-kit';
import { type Caller, CurrentCaller } from '../http/current-caller.js';
import { CLIENT_ID_PARAM, NO_CLIENT } from '../openapi/operation-parts.js';
import { UsageReceipt, UsageReport } from './usage-report.dto.js';
import { ClientUsageReport, UsageQuery } from './usage.dto.js';
import { UsageService } from './usage.service.js';

/** How Clients are used. */
@ApiTags('clients')
@Controller()
export class UsageController {
  constructor(private readonly usage: UsageService) {}

  @Get('client/:client_id/usage')
  @Header('cache-control', 'no-store')
  @RequireScope('clients:read')
  @ApiOperation({
    operationId: 'getClientUsage',
    summary: 'Read how a client is used',
    description:
      'Which redirect URIs, PKCE methods, response types and secrets are used, what was rejected and why. Checks appear after about ten seconds, or up to a minute if thousands of clients are in use.',
  })
  @ApiParam(CLIENT_ID_PARAM)
  @ApiOkResponse({ type: ClientUsageReport, description: 'The counts.' })
  @ApiResponse({ status: 404, description: NO_CLIENT })
  async read(
    @Param('client_id') clientId: string,
    @Query() { days }: UsageQuery,
    @CurrentCaller() caller: Caller,
  ): Promise<ClientUsageReport> {
    return this.usage.of(clientId, days, caller);
  }

  @Post('clients/usage')
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @RequireScope('clients:check')
  @ApiOperation({
    operationId: 'reportClientUsage',
    summary: 'Report uses that the registry has not checked itself',
    description:
      'For authorization servers that compare requests or verify client assertions themselves. A batch counts once, however often it is sent. Clients that the token does not reach are left out without notice.',
  })
  @ApiOkResponse({ type: UsageReceipt, description: 'The batch is counted.' })
  @ApiResponse({ status: 409, description: 'More than 100 processes report with this token.' })
  async report(@Body() batch: UsageReport, @CurrentCaller() caller: Caller): Promise<UsageReceipt> {
    return { recorded: await this.usage.report(batch, caller) };
  }
}
