import { Body, Controller, Get, Header, Headers, HttpCode, Param, Post, Res } from '@nestjs/common';
import {
  ApiBody,
  ApiHeader,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiResponse,
  ApiTags,
} from '@nestjs/swagger';
import type { ClientDocument } from '@svc/client-metadata';
import { RequireScope } from '@svc/service-kit';
import type { FastifyReply } from 'fastify';
import {
  Conditions,
  preconditionOf,
  type RequestConditions,
  toEntityTag,
} from '../http/conditional-requests.js';
import { type Caller, CurrentCaller } from '../http/current-caller.js';
import { NO_IDEMPOTENCY_KEY, TakesIdempotencyKey } from '../idempotency/idempotency-key.decorator.js';
import {
  CLIENT_ID_PARAM,
  ETAG,
  IF_MATCH_HEADER,
  NO_CLIENT,
  REPLAYED,
  schemaRef,
} from '../openapi/operation-parts.js';
import { RegistrySettings } from '../settings/registry-settings.js';
import { toClientDocument } from './client-document.js';
import { ClientSecrets, ResetSecretBody, rotationOf, toUsedSecrets } from './client-secrets.dto.js';
import { ClientsService, type ClientWithSecretIfAny } from './clients.service.js';
import { IdempotentClientsService } from './idempotent-clients.service.js';
import type { StoredClient } from './stored-client.js';

/** Changes to a client other than its metadata: enabling, disabling, and its secrets. */
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
  @ApiOperation({
    operationId: 'enableClient',
    summary: 'Enable a client',
    description: 'An enabled client stays as it is.',
  })
  @ApiParam(CLIENT_ID_PARAM)
  @ApiHeader(IF_MATCH_HEADER)
  @ApiOkResponse({ schema: schemaRef('Client'), description: 'The client as it is now.', headers: ETAG })
  @ApiResponse(NO_IDEMPOTENCY_KEY)
  @ApiResponse({ status: 404, description: NO_CLIENT })
  @ApiResponse({ status: 412 })
  async enable(
    @Param('client_id') clientId: string,
    @CurrentCaller() actor: Caller,
    @Conditions() conditions: RequestConditions,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ClientDocument> {
    return this.answer(
      await this.clients.setEnabled(clientId, true, actor, preconditionOf(conditions)),
      reply,
    );
  }

  @Post('disable')
  @HttpCode(200)
  @RequireScope('clients:write')
  @ApiOperation({
    operationId: 'disableClient',
    summary: 'Disable a client',
    description: 'A disabled client fails every check. An already disabled client stays as it is.',
  })
  @ApiParam(CLIENT_ID_PARAM)
  @ApiHeader(IF_MATCH_HEADER)
  @ApiOkResponse({ schema: schemaRef('Client'), description: 'The client as it is now.', headers: ETAG })
  @ApiResponse(NO_IDEMPOTENCY_KEY)
  @ApiResponse({ status: 404, description: NO_CLIENT })
  @ApiResponse({ status: 412 })
  async disable(
    @Param('client_id') clientId: string,
    @CurrentCaller() actor: Caller,
    @Conditions() conditions: RequestConditions,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ClientDocument> {
    return this.answer(
      await this.clients.setEnabled(clientId, false, actor, preconditionOf(conditions)),
      reply,
    );
  }

  @Post('reset_secret')
  @HttpCode(200)
  @RequireScope('clients:write')
  @ApiOperation({
    operationId: 'resetClientSecret',
    summary: 'Generate a new client_secret',
    description:
      "Only this response contains it. With `overlap` the previous secret stays valid for that time; `expires_in` is the new one's lifetime.",
  })
  @TakesIdempotencyKey(
    'For 24 h the same key and body generate one secret: repeated requests return the client as it is, without the client_secret.',
  )
  @ApiParam(CLIENT_ID_PARAM)
  @ApiHeader(IF_MATCH_HEADER)
  @ApiBody({ type: ResetSecretBody, required: false })
  @ApiOkResponse({
    schema: schemaRef('RegisteredClient'),
    description: 'The client and its new client_secret.',
    headers: { ...ETAG, ...REPLAYED },
  })
  @ApiResponse({ status: 404, description: NO_CLIENT })
  @ApiResponse({
    status: 409,
    description: 'The Idempotency-Key was used for another request, or the client was deleted since.',
  })
  @ApiResponse({ status: 412 })
  async resetSecret(
    @Param('client_id') clientId: string,
    @CurrentCaller() actor: Caller,
    @Conditions() conditions: RequestConditions,
    @Headers('idempotency-key') key: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() body?: ResetSecretBody,
  ): Promise<ClientDocument & { client_secret?: string }> {
    const rotation = rotationOf(body);
    const isWanted = preconditionOf(conditions);
    const { client, secret }: ClientWithSecretIfAny =
      key === undefined
        ? await this.clients.resetSecret(clientId, rotation, actor, isWanted)
        : await this.idempotent.resetSecret(clientId, rotation, isWanted, { key, actor });
    if (secret === undefined) void reply.header('idempotency-replayed', 'true');
    return { ...this.answer(client, reply), ...(secret !== undefined && { client_secret: secret }) };
  }

  @Get('secrets')
  @Header('cache-control', 'no-store')
  @RequireScope('clients:read')
  @ApiOperation({
    operationId: 'listClientSecrets',
    summary: 'List the secrets of a client',
    description: 'Without their values: when each was created, expires, and was last used.',
  })
  @ApiParam(CLIENT_ID_PARAM)
  @ApiOkResponse({ type: ClientSecrets, description: 'The secrets.' })
  @ApiResponse({ status: 404, description: NO_CLIENT })
  async secrets(
    @Param('client_id') clientId: string,
    @CurrentCaller() caller: Caller,
  ): Promise<ClientSecrets> {
    return { client_secrets: toUsedSecrets(await this.clients.find(clientId, caller)) };
  }

  private answer(client: StoredClient, reply: FastifyReply): ClientDocument {
    void reply.header('etag', toEntityTag(client.revision));
    return toClientDocument(client, this.settings.capabilities);
  }
}
