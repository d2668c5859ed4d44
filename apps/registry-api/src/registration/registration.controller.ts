import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Req } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { bearerTokenOf, RequireOwnToken, RequireScope } from '@svc/service-kit';
import type { FastifyRequest } from 'fastify';
import type { StoredClient } from '../clients/stored-client.js';
import { type Actor, CurrentActor } from '../http/current-actor.js';
import { NO_IDEMPOTENCY_KEY } from '../idempotency/takes-idempotency-key.js';
import { schemaRef } from '../openapi/schema-ref.js';
import { RegistrySettings } from '../settings/registry-settings.js';
import { CLIENT_INFORMATION, CLIENT_METADATA, CLIENT_REPLACEMENT } from './registration-schemas.js';
import { RegistrationAccess } from './registration-access.js';
import { toRegistrationDocument } from './registration-document.js';
import { RegistrationService } from './registration.service.js';

/** Dynamic client registration (RFC 7591) and its management (RFC 7592). Its token is in place of a scope. */
@ApiTags('registration')
@Controller('register')
export class RegistrationController {
  constructor(
    private readonly registration: RegistrationService,
    private readonly settings: RegistrySettings,
  ) {}

  @Post()
  @RequireScope('clients:register')
  @ApiOperation({ summary: 'Register a Client with an initial access token (RFC 7591).' })
  @ApiBody({ schema: CLIENT_METADATA })
  @ApiResponse({ status: 201, schema: CLIENT_INFORMATION })
  @ApiResponse({ status: 400, description: 'RFC 7591 section 3.2.2', schema: schemaRef('Problem') })
  async register(
    @Body() body: unknown,
    @CurrentActor() actor: Actor,
    @Req() request: FastifyRequest,
  ): Promise<Record<string, unknown>> {
    const { client, secret, registrationToken } = await this.registration.register(body, actor);
    return this.toDocument(client, registrationToken, request, secret);
  }

  @Get(':client_id')
  @RequireOwnToken(RegistrationAccess)
  @ApiOperation({ summary: 'Read the Client of a registration access token (RFC 7592).' })
  @ApiResponse({ status: 200, schema: CLIENT_INFORMATION })
  @ApiResponse({ status: 401, schema: schemaRef('Problem') })
  @ApiResponse({ status: 403, description: 'The Client is disabled.', schema: schemaRef('Problem') })
  async find(
    @Param('client_id') clientId: string,
    @Req() request: FastifyRequest,
  ): Promise<Record<string, unknown>> {
    return this.toDocument(await this.registration.find(clientId), bearerTokenOf(request), request);
  }

  @Put(':client_id')
  @RequireOwnToken(RegistrationAccess)
  @ApiOperation({
    summary: 'Replace the metadata of the Client of a registration access token (RFC 7592).',
    description:
      'A change of token_endpoint_auth_method from none is answered with a fresh client_secret, once.',
  })
  @ApiBody({ schema: CLIENT_REPLACEMENT })
  @ApiResponse({ status: 200, schema: CLIENT_INFORMATION })
  @ApiResponse({ status: 400, schema: schemaRef('Problem') })
  @ApiResponse({ status: 401, schema: schemaRef('Problem') })
  @ApiResponse({ status: 403, description: 'The Client is disabled.', schema: schemaRef('Problem') })
  async replace(
    @Param('client_id') clientId: string,
    @Body() body: unknown,
    @CurrentActor() actor: Actor,
    @Req() request: FastifyRequest,
  ): Promise<Record<string, unknown>> {
    const { client, secret } = await this.registration.replace(clientId, body, actor);
    return this.toDocument(client, bearerTokenOf(request), request, secret);
  }

  @Delete(':client_id')
  @HttpCode(204)
  @RequireOwnToken(RegistrationAccess)
  @ApiOperation({ summary: 'Delete the Client of a registration access token (RFC 7592).' })
  @ApiResponse({ status: 204, description: 'The Client, its secret and its tokens are gone.' })
  @ApiResponse(NO_IDEMPOTENCY_KEY)
  @ApiResponse({ status: 401, schema: schemaRef('Problem') })
  @ApiResponse({ status: 403, description: 'The Client is disabled.', schema: schemaRef('Problem') })
  async remove(@Param('client_id') clientId: string, @CurrentActor() actor: Actor): Promise<void> {
    await this.registration.remove(clientId, actor);
  }

  /** @param token as it was made or presented: the registry knows only its hash */
  private toDocument(
    client: StoredClient,
    token: string | undefined,
    { protocol, host }: FastifyRequest,
    secret?: string,
  ): Record<string, unknown> {
    const base = this.settings.publicUrl ?? `${protocol}://${host}`;
    const management = {
      registration_client_uri: `${base}/register/${encodeURIComponent(client.clientId)}`,
      registration_access_token: token ?? '',
    };
    return toRegistrationDocument(client, this.settings.capabilities, management, secret);
  }
}
