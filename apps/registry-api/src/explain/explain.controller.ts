import { Body, Controller, Header, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { AddRouteConfig, RequireScope } from '@svc/service-kit';
import { type Caller, CurrentCaller } from '../http/current-caller.js';
import { ExplainBody, Explanation } from './explain.dto.js';
import { ExplainService } from './explain.service.js';

@ApiTags('checks')
@Controller('clients/explain')
export class ExplainController {
  constructor(private readonly explanations: ExplainService) {}

  @Post()
  @AddRouteConfig({ anyText: true })
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @RequireScope('clients:read')
  @ApiOperation({
    operationId: 'explainAuthorizationRequest',
    summary: 'Explain why an authorization request is rejected',
    description:
      'From its URL: the violated rules, the nearest registered redirect URI, when such a request last worked, and the change that broke it. No part of the URL is logged, counted or kept.',
  })
  @ApiOkResponse({ type: Explanation, description: 'The result of the check, and its reasons.' })
  @ApiResponse({ status: 404, description: 'No client that the token reaches has or had this client_id.' })
  async explain(@Body() { url }: ExplainBody, @CurrentCaller() caller: Caller): Promise<Explanation> {
    return this.explanations.explain(url, caller);
  }
}
