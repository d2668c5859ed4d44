import { Body, Controller, Header, HttpCode, Param, Post, Req } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { AddRouteConfig, readTraceContext, RequireScope } from '@svc/service-kit';
import type { FastifyRequest } from 'fastify';
import type { ProbeReport } from '../cookie-webhook/probe-cookie-webhook.js';
import { schemaRef } from '../openapi/schema-ref.js';
import type { RequestVerdict } from './authorization-request.js';
import { AuthorizationRequestCheckService } from './authorization-request-check.service.js';
import { PROBE_REPORT, REQUEST_PARAMETERS, REQUEST_VERDICT, SECRET_VERDICT } from './check-schemas.js';
import { CheckCookieWebhookBody } from './check-cookie-webhook.body.js';
import { CheckSecretBody } from './check-secret.body.js';
import { CookieWebhookCheckService } from './cookie-webhook-check.service.js';
import { toRequestParameters } from './request-parameters.js';
import { SecretCheckService, type SecretVerdict } from './secret-check.service.js';

@ApiTags('checks')
@Controller('client/:client_id/check')
export class ChecksController {
  constructor(
    private readonly authorizationRequests: AuthorizationRequestCheckService,
    private readonly secrets: SecretCheckService,
    private readonly cookieWebhooks: CookieWebhookCheckService,
  ) {}

  @Post('authorization_request')
  @AddRouteConfig({ anyText: true })
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @RequireScope('clients:check')
  @ApiOperation({
    summary: 'Check the parameters of an authorization request against what the Client is registered for.',
  })
  @ApiBody({ schema: REQUEST_PARAMETERS })
  @ApiResponse({ status: 200, schema: REQUEST_VERDICT })
  @ApiResponse({ status: 400, schema: schemaRef('Problem') })
  @ApiResponse({ status: 404, schema: schemaRef('Problem') })
  async authorizationRequest(
    @Param('client_id') clientId: string,
    @Body() body: unknown,
  ): Promise<RequestVerdict> {
    return this.authorizationRequests.check(clientId, toRequestParameters(body));
  }

  @Post('secret')
  @AddRouteConfig({ anyText: true })
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @RequireScope('clients:check')
  @ApiOperation({
    summary:
      'Check a client_secret. An unknown or disabled Client answers like a wrong secret, in the same time.',
  })
  @ApiResponse({ status: 200, schema: SECRET_VERDICT })
  @ApiResponse({ status: 400, schema: schemaRef('Problem') })
  async secret(@Param('client_id') clientId: string, @Body() body: CheckSecretBody): Promise<SecretVerdict> {
    return this.secrets.check(clientId, body.client_secret);
  }

  @Post('cookie_webhook')
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @RequireScope('clients:write')
  @ApiOperation({ summary: 'Call the cookie webhook of the Client with a sample user, and report.' })
  @ApiBody({ type: CheckCookieWebhookBody, required: false })
  @ApiResponse({ status: 200, schema: PROBE_REPORT })
  @ApiResponse({ status: 404, schema: schemaRef('Problem') })
  @ApiResponse({
    status: 409,
    description: 'The Client has no cookie webhook, or it is disabled.',
    schema: schemaRef('Problem'),
  })
  async cookieWebhook(
    @Param('client_id') clientId: string,
    @Req() request: FastifyRequest,
    @Body() body?: CheckCookieWebhookBody,
  ): Promise<ProbeReport> {
    return this.cookieWebhooks.check(clientId, {
      user: body?.user,
      trace: readTraceContext(request.headers),
    });
  }
}
