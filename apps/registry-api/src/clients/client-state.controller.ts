import { Body, Controller, Get, Header, Headers, HttpCode, Param, Post, Res } from '@nestjs/common';
import { ApiBody, ApiHeader, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '@svc/service-kit';
import type { FastifyReply } from 'fastify';
import { type Actor, CurrentActor } from '../http/current-actor.js';
import { toEntityTag } from '../http/entity-tag.js';
import { Conditions, preconditionOf, type RequestConditions } from '../http/if-match.js';
import { IdempotentClientsService } from './idempotent-clients.service.js';
import { NO_IDEMPOTENCY_KEY, TakesIdempotencyKey } from '../idempotency/takes-idempotency-key.js';
import { IF_MATCH_HEADER } from '../openapi/if-match-header.js';
import { schemaRef } from '../openapi/schema-ref.js';
import { RegistrySettings } from '../settings/registry-settings.js';
import type { ClientDocument } from '@svc/client-metadata';
import { toClientDocument } from './client-document.js';
import { CLIENT_SECRETS, type ClientSecretsDocument, toUsedSecrets } from './client-secrets-document.js';
import { ClientsService, type ClientWithSecretIfAny } from './clients.service.js';
import { overlapOf, ResetSecretBody } from './reset-secret.body.js';
import type { StoredClient } from './stored-client.js';

/** What changes of a Client besides its metadata: whether it is enabled, and its secret. */
@ApiTags('clients')
@Controller('client/:client_id')
export class ClientStateController {
  constructor(
    private readonly clients: ClientsService,
    private readonly idempotent: IdempotentClientsService,
    private readonly settings: RegistrySettings,
  ) {}

  @Post('enable')
  @HttpCode(200)
  @RequireScope('clients:write')
  @ApiOperation({ summary: 'Enable a Client. An enabled one stays as it is.' })
  @ApiHeader(IF_MATCH_HEADER)
  @ApiResponse({ status: 200, schema: schemaRef('Client') })
  @ApiResponse(NO_IDEMPOTENCY_KEY)
  @ApiResponse({ status: 404, schema: schemaRef('Problem') })
  @ApiResponse({ status: 412, schema: schemaRef('Problem') })
  async enable(
    @Param('client_id') clientId: string,
    @CurrentActor() actor: Actor,
    @Conditions() conditions: RequestConditions,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ClientDocument> {
    return this.answer(await this.clients.turn(clientId, true, actor, preconditionOf(conditions)), reply);
  }

  @Post('disable')
  @HttpCode(200)
  @RequireScope('clients:write')
  @ApiOperation({ summary: 'Disable a Client: it fails every check. A disabled one stays as it is.' })
  @ApiHeader(IF_MATCH_HEADER)
  @ApiResponse({ status: 200, schema: schemaRef('Client') })
  @ApiResponse(NO_IDEMPOTENCY_KEY)
  @ApiResponse({ status: 404, schema: schemaRef('Problem') })
  @ApiResponse({ status: 412, schema: schemaRef('Problem') })
  async disable(
    @Param('client_id') clientId: string,
    @CurrentActor() actor: Actor,
    @Conditions() conditions: RequestConditions,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ClientDocument> {
    return this.answer(await this.clients.turn(clientId, false, actor, preconditionOf(conditions)), reply);
  }

  @Post('reset_secret')
  @HttpCode(200)
  @RequireScope('clients:write')
  @ApiOperation({
    summary: 'Make a new client_secret. The answer is the only one that holds it; the former may overlap.',
  })
  @TakesIdempotencyKey(
    'For 24 h the same key and body make one secret: a repetition gets the Client as it is, without the client_secret.',
  )
  @ApiHeader(IF_MATCH_HEADER)
  @ApiBody({ type: ResetSecretBody, required: false })
  @ApiResponse({
    status: 200,
    description: 'With Idempotency-Replayed, the Client without the client_secret.',
    schema: { anyOf: [schemaRef('RegisteredClient'), schemaRef('Client')] },
  })
  @ApiResponse({ status: 400, schema: schemaRef('Problem') })
  @ApiResponse({ status: 404, schema: schemaRef('Problem') })
  @ApiResponse({
    status: 409,
    description: 'The Idempotency-Key is taken by another request, or the Client was deleted since.',
    schema: schemaRef('Problem'),
  })
  @ApiResponse({ status: 412, schema: schemaRef('Problem') })
  async resetSecret(
    @Param('client_id') clientId: string,
    @CurrentActor() actor: Actor,
    @Conditions() conditions: RequestConditions,
    @Headers('idempotency-key') key: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() body?: ResetSecretBody,
  ): Promise<ClientDocument & { client_secret?: string }> {
    const overlap = overlapOf(body);
    const isWanted = preconditionOf(conditions);
    const { client, secret }: ClientWithSecretIfAny =
      key === undefined
        ? await this.clients.resetSecret(clientId, overlap, actor, isWanted)
        : await this.idempotent.resetSecret(clientId, overlap, isWanted, { key, actor });
    if (secret === undefined) void reply.header('idempotency-replayed', 'true');
    return { ...this.answer(client, reply), ...(secret !== undefined && { client_secret: secret }) };
  }

  @Get('secrets')
  @Header('cache-control', 'no-store')
  @RequireScope('clients:read')
  @ApiOperation({ summary: 'The secrets of a Client, without their values, and when each was last used.' })
  @ApiResponse({ status: 200, schema: CLIENT_SECRETS })
  @ApiResponse({ status: 404, schema: schemaRef('Problem') })
  async secrets(@Param('client_id') clientId: string): Promise<ClientSecretsDocument> {
    return { client_secrets: toUsedSecrets(await this.clients.find(clientId)) };
  }

  private answer(client: StoredClient, reply: FastifyReply): ClientDocument {
    void reply.header('etag', toEntityTag(client.seq));
    return toClientDocument(client, this.settings.capabilities);
  }
}
