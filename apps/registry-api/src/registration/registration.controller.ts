import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Req } from '@nestjs/common';
import {
  ApiBody,
  ApiExtraModels,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiResponse,
  ApiTags,
} from '@nestjs/swagger';
import { bearerTokenOf, RequireOwnToken, RequireScopeOrAnonymous, pathOf } from '@svc/service-kit';
import type { FastifyRequest, FastifyInstance } from 'fastify';
import type { StoredClient } from '../clients/stored-client.js';
import { type Caller, CurrentCaller } from '../http/current-caller.js';
import { NO_IDEMPOTENCY_KEY } from '../idempotency/idempotency-key.decorator.js';
import { CLIENT_ID_PARAM } from '../openapi/operation-parts.js';
import { RegistrySettings } from '../settings/registry-settings.js';
import { OpenRegistration } from './open-registration.js';
import { RegistrationAccess } from './registration-access.js';
import {
  CLIENT_INFORMATION,
  CLIENT_METADATA,
  CLIENT_REPLACEMENT,
  ClientInformation,
  toClientInformation,
} from './registration.dto.js';
import { RegistrationService } from './registration.service.js';

const DISABLED = 'The client is disabled, and does not await approval.';

/** Dynamic client registration (RFC 7591) and its management (RFC 7592), with tokens in place of scopes. */
@ApiTags('registration')
@ApiExtraModels(ClientInformation)
@Controller('register')
export class RegistrationController {
  constructor(
    private readonly registration: RegistrationService,
    private readonly settings: RegistrySettings,
  ) {}

  @Post()
  @RequireScopeOrAnonymous('clients:register', OpenRegistration)
  @ApiOperation({
    operationId: 'registerOwnClient',
    summary: 'Register a client as a developer',
    description:
      'Dynamic client registration (RFC 7591) with an initial access token (an API token with the scope clients:register). Where REGISTRATION is open, ' +
      'also without a token: the client then fails every check until an administrator enables it.',
  })
  @ApiBody({ schema: CLIENT_METADATA })
  @ApiResponse({ status: 201, schema: CLIENT_INFORMATION, description: 'The client, and how to manage it.' })
  @ApiResponse({ status: 400, description: 'The metadata is invalid (RFC 7591 section 3.2.2).' })
  @ApiResponse({
    status: 403,
    description: 'The token lacks the scope, or has registered as many clients as it may.',
  })
  async register(
    @Body() body: unknown,
    @CurrentCaller() actor: Caller,
    @Req() request: FastifyRequest,
  ): Promise<ClientInformation> {
    const { client, secret, registrationToken } = await this.registration.register(body, actor);
    return this.toAnswer(client, registrationToken, request, secret);
  }

  @Get(':client_id')
  @RequireOwnToken(RegistrationAccess)
  @ApiOperation({
    operationId: 'getOwnClient',
    summary: 'Read your own client',
    description: 'With its registration access token (RFC 7592 section 2.1).',
  })
  @ApiParam(CLIENT_ID_PARAM)
  @ApiOkResponse({ schema: CLIENT_INFORMATION, description: 'The client.' })
  @ApiResponse({ status: 403, description: DISABLED })
  async find(
    @Param('client_id') clientId: string,
    @CurrentCaller() caller: Caller,
    @Req() request: FastifyRequest,
  ): Promise<ClientInformation> {
    const { client, registrationToken } = await this.registration.find(
      clientId,
      caller,
      presentedIn(request),
    );
    return this.toAnswer(client, registrationToken, request);
  }

  @Put(':client_id')
  @RequireOwnToken(RegistrationAccess)
  @ApiOperation({
    operationId: 'replaceOwnClient',
    summary: 'Replace the metadata of your own client',
    description:
      'With its registration access token (RFC 7592 section 2.2). When token_endpoint_auth_method changes from none or ' +
      'private_key_jwt to client_secret_basic or client_secret_post, only this response contains the new client_secret.',
  })
  @ApiParam(CLIENT_ID_PARAM)
  @ApiBody({ schema: CLIENT_REPLACEMENT })
  @ApiOkResponse({ schema: CLIENT_INFORMATION, description: 'The client as it is now.' })
  @ApiResponse({ status: 403, description: DISABLED })
  async replace(
    @Param('client_id') clientId: string,
    @Body() body: unknown,
    @CurrentCaller() actor: Caller,
    @Req() request: FastifyRequest,
  ): Promise<ClientInformation> {
    const token = presentedIn(request);
    const { client, secret, registrationToken } = await this.registration.replace(
      clientId,
      body,
      actor,
      token,
    );
    return this.toAnswer(client, registrationToken, request, secret);
  }

  @Delete(':client_id')
  @HttpCode(204)
  @RequireOwnToken(RegistrationAccess)
  @ApiOperation({
    operationId: 'deleteOwnClient',
    summary: 'Delete your own client',
    description: 'With its registration access token (RFC 7592 section 2.3).',
  })
  @ApiParam(CLIENT_ID_PARAM)
  @ApiResponse({ status: 204, description: 'The client, its secret and its token no longer exist.' })
  @ApiResponse(NO_IDEMPOTENCY_KEY)
  @ApiResponse({ status: 403, description: DISABLED })
  async remove(
    @Param('client_id') clientId: string,
    @CurrentCaller() actor: Caller,
    @Req() request: FastifyRequest,
  ): Promise<void> {
    await this.registration.remove(clientId, actor, presentedIn(request));
  }

  private toAnswer(
    client: StoredClient,
    token: string,
    { protocol, host }: FastifyRequest,
    secret?: string,
  ): ClientInformation {
    const base = this.settings.publicUrl ?? `${protocol}://${host}`;
    const management = {
      registration_client_uri: `${base}/register/${encodeURIComponent(client.clientId)}`,
      registration_access_token: token,
    };
    return toClientInformation(client, this.settings.capabilities, management, secret);
  }
}

/** The registration access token, which the route requires. */
function presentedIn(request: FastifyRequest): string {
  return bearerTokenOf(request) ?? '';
}

/**
 * Makes answers below /register uncacheable, and gives errors the media type that OAuth clients read (RFC 7591 section 3.2). A
 * hook, because requests may be refused before their route is reached.
 */
export function answerAsOAuth(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (request, reply, _payload, done) => {
    if (!request.url.startsWith('/register') || !/^\/register(\/|$)/.test(pathOf(request.url))) return done();
    void reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' });
    const type = String(reply.getHeader('content-type') ?? '');
    if (type.startsWith('application/problem+json'))
      void reply.header('content-type', 'application/json; charset=utf-8');
    done();
  });
}
