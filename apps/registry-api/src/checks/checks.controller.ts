import { Body, Controller, Header, HttpCode, Param, Post, Req } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import { AddRouteConfig, outgoingTraceContext, RequireScope } from '@svc/service-kit';
import type { FastifyRequest } from 'fastify';
import { ProbeReport } from '../cookie-webhook/probe-cookie-webhook.js';
import { type Caller, CurrentCaller } from '../http/current-caller.js';
import { CLIENT_ID_PARAM, NO_CLIENT } from '../openapi/operation-parts.js';
import { AuthorizationRequestCheckService } from './authorization-request-check.service.js';
import {
  AuthorizationRequestCheck,
  CheckClientAssertionBody,
  CheckCookieWebhookBody,
  CheckSecretBody,
  ClientAssertionCheck,
  REQUEST_PARAMETERS,
  SecretCheck,
} from './checks.dto.js';
import { ClientAssertionCheckService } from './client-assertion-check.service.js';
import { CookieWebhookCheckService } from './cookie-webhook-check.service.js';
import { toRequestParameters } from './request-parameters.js';
import { SecretCheckService } from './secret-check.service.js';

@ApiTags('checks')
@Controller('client/:client_id/check')
export class ChecksController {
  constructor(
    private readonly authorizationRequests: AuthorizationRequestCheckService,
    private readonly secrets: SecretCheckService,
    private readonly assertions: ClientAssertionCheckService,
    private readonly cookieWebhooks: CookieWebhookCheckService,
  ) {}

  @Post('authorization_request')
  @AddRouteConfig({ anyText: true, decidesAboutCredentials: true })
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @RequireScope('clients:check')
  @ApiOperation({
    operationId: 'checkAuthorizationRequest',
    summary: 'Check an authorization request',
    description: "Checks its parameters against the client's settings. A disabled client fails every check.",
  })
  @ApiParam(CLIENT_ID_PARAM)
  @ApiBody({ schema: REQUEST_PARAMETERS })
  @ApiOkResponse({
    type: AuthorizationRequestCheck,
    description: 'Whether the client may make this request.',
  })
  @ApiResponse({ status: 404, description: NO_CLIENT })
  async authorizationRequest(
    @Param('client_id') clientId: string,
    @Body() body: unknown,
    @CurrentCaller() caller: Caller,
  ): Promise<AuthorizationRequestCheck> {
    return this.authorizationRequests.check(clientId, toRequestParameters(body), caller);
  }

  @Post('secret')
  @AddRouteConfig({ anyText: true, decidesAboutCredentials: true })
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @RequireScope('clients:check')
  @ApiOperation({
    operationId: 'checkSecret',
    summary: 'Check a client_secret',
    description:
      'An unknown or disabled client gets the same response as a wrong secret, in the same time. Only the check of an imported hash takes longer, until the first successful one replaces it.',
  })
  @ApiParam(CLIENT_ID_PARAM)
  @ApiOkResponse({ type: SecretCheck, description: 'Whether the secret is valid.' })
  @ApiResponse({
    status: 503,
    description:
      'The database does not respond, the service is overloaded, or too many checks of imported hashes are in progress; see Retry-After.',
  })
  async secret(
    @Param('client_id') clientId: string,
    @Body() body: CheckSecretBody,
    @CurrentCaller() caller: Caller,
  ): Promise<SecretCheck> {
    return this.secrets.check(clientId, body.client_secret, caller);
  }

  @Post('client_assertion')
  @AddRouteConfig({ anyText: true, decidesAboutCredentials: true })
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @RequireScope('clients:check')
  @ApiOperation({
    operationId: 'checkClientAssertion',
    summary: 'Check a client_assertion',
    description:
      'Verifies the JWT of a client with private_key_jwt (RFC 7523): its signature by a key of the client, iss, sub, aud, exp and jti. Each JWT is valid only once. An unknown or disabled client gets the same response as one without the method.',
  })
  @ApiParam(CLIENT_ID_PARAM)
  @ApiOkResponse({ type: ClientAssertionCheck, description: 'Whether the assertion is valid.' })
  async clientAssertion(
    @Param('client_id') clientId: string,
    @Body() body: CheckClientAssertionBody,
    @CurrentCaller() caller: Caller,
  ): Promise<ClientAssertionCheck> {
    return this.assertions.check(clientId, body, caller);
  }

  @Post('cookie_webhook')
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @RequireScope('clients:write')
  @ApiOperation({
    operationId: 'checkCookieWebhook',
    summary: 'Call the cookie webhook of a client',
    description: 'Sends a sample user, as a sign-in does, and reports whether the response can be used.',
  })
  @ApiParam(CLIENT_ID_PARAM)
  @ApiBody({ type: CheckCookieWebhookBody, required: false })
  @ApiOkResponse({ type: ProbeReport, description: 'The result of the call.' })
  @ApiResponse({ status: 404, description: NO_CLIENT })
  @ApiResponse({ status: 409, description: 'The client has no cookie webhook, or is disabled.' })
  async cookieWebhook(
    @Param('client_id') clientId: string,
    @CurrentCaller() caller: Caller,
    @Req() request: FastifyRequest,
    @Body() body?: CheckCookieWebhookBody,
  ): Promise<ProbeReport> {
    return this.cookieWebhooks.check(clientId, caller, {
      user: body?.user,
      trace: outgoingTraceContext(request.headers),
    });
  }
}
