import {
  Body,
  Controller,
  Delete,
  Get,
  Headers,
  HttpCode,
  Param,
  Patch,
  Post,
  Put,
  Query,
  Res,
} from '@nestjs/common';
import {
  ApiBody,
  ApiConsumes,
  ApiHeader,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiResponse,
  ApiTags,
} from '@nestjs/swagger';
import type { ClientDocument } from '@svc/client-metadata';
import { AddRouteConfig, RequireScope } from '@svc/service-kit';
import type { FastifyReply } from 'fastify';
import {
  Conditions,
  ifNoneMatchLists,
  type RequestConditions,
  requiredPreconditionOf,
  toEntityTag,
} from '../http/conditional-requests.js';
import { type Caller, CurrentCaller } from '../http/current-caller.js';
import { NO_IDEMPOTENCY_KEY, TakesIdempotencyKey } from '../idempotency/idempotency-key.decorator.js';
import {
  CLIENT_ID_PARAM,
  DATA_AGE,
  ETAG,
  IF_MATCH_HEADER,
  locationHeader,
  MIN_CHANGE_SEQ_HEADER,
  NO_CLIENT,
  REPLAYED,
  schemaRef,
} from '../openapi/operation-parts.js';
import { RegistrySettings } from '../settings/registry-settings.js';
import { toClientDocument, withoutActors } from './client-document.js';
import { RegisterClientQuery, secondsIn } from './client-secrets.dto.js';
import { ClientsService, type ClientWithSecretIfAny } from './clients.service.js';
import { IdempotentClientsService } from './idempotent-clients.service.js';
import type { StoredClient } from './stored-client.js';

/** Clients may be cached and revalidated with their ETag, but not shared between users. */
const REVALIDATE = 'private, no-cache';

const PRECONDITION_REQUIRED = { status: 428, description: 'This registry requires If-Match.' };

@ApiTags('clients')
@Controller('client')
export class ClientsController {
  constructor(
    private readonly clients: ClientsService,
    private readonly idempotent: IdempotentClientsService,
    private readonly settings: RegistrySettings,
  ) {}

  @Post()
  @RequireScope('clients:write')
  @ApiOperation({
    operationId: 'registerClient',
    summary: 'Register a client',
    description: 'Only this response contains its client_secret.',
  })
  @TakesIdempotencyKey(
    'For 24 h the same key and body register one client: repeated requests return it without its client_secret.',
  )
  @ApiBody({ schema: schemaRef('ClientRegistration') })
  @ApiResponse({
    status: 201,
    description: 'The client and its client_secret.',
    schema: schemaRef('RegisteredClient'),
    headers: { ...locationHeader('/client/shop-web'), ...ETAG, ...REPLAYED },
  })
  @ApiResponse({
    status: 409,
    description:
      'The client_id is taken, or the Idempotency-Key was used for another request, or for a client that has been deleted since.',
  })
  async register(
    @Query() query: RegisterClientQuery,
    @Body() body: unknown,
    @CurrentCaller() actor: Caller,
    @Headers('idempotency-key') key: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ClientDocument & { client_secret?: string }> {
    const expiresIn = secondsIn(query.secret_expires_in);
    const { client, secret }: ClientWithSecretIfAny =
      key === undefined
        ? await this.clients.register(body, actor, expiresIn)
        : await this.idempotent.register(body, expiresIn, { key, actor });
    void reply.header('location', `/client/${encodeURIComponent(client.clientId)}`);
    if (secret === undefined) void reply.header('idempotency-replayed', 'true');
    return { ...this.answer(client, reply), ...(secret !== undefined && { client_secret: secret }) };
  }

  @Get(':client_id')
  @AddRouteConfig({ servesAuthorizationServers: true })
  @RequireScope('clients:read', 'clients:follow')
  @ApiOperation({
    operationId: 'getClient',
    summary: 'Read a client',
    description: 'Its metadata, state and warnings, and its secrets without their values.',
  })
  @ApiParam(CLIENT_ID_PARAM)
  @ApiHeader({
    name: 'If-None-Match',
    required: false,
    description: 'An ETag; 304 when it is the current one.',
  })
  @ApiHeader(MIN_CHANGE_SEQ_HEADER)
  @ApiOkResponse({
    schema: schemaRef('Client'),
    description: 'The client.',
    headers: { ...ETAG, ...DATA_AGE },
  })
  @ApiResponse({ status: 304, description: 'The client has not changed.', headers: ETAG })
  @ApiResponse({ status: 404, description: NO_CLIENT })
  async find(
    @Param('client_id') clientId: string,
    @CurrentCaller() caller: Caller,
    @Headers('if-none-match') ifNoneMatch: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ClientDocument | undefined> {
    const client = await this.clients.find(clientId, caller);
    void reply.header('etag', toEntityTag(client.revision)).header('cache-control', REVALIDATE);
    if (!ifNoneMatchLists(ifNoneMatch, client.revision)) {
      const document = this.toDocument(client);
      return caller.seesActors ? document : withoutActors(document);
    }
    void reply.status(304);
    return undefined;
  }

  @Put(':client_id')
  @RequireScope('clients:write')
  @ApiOperation({
    operationId: 'replaceClient',
    summary: 'Replace the metadata of a client',
    description: 'Members that are left out get their defaults.',
  })
  @ApiParam(CLIENT_ID_PARAM)
  @ApiHeader(IF_MATCH_HEADER)
  @ApiBody({ schema: schemaRef('ClientUpdate') })
  @ApiOkResponse({ schema: schemaRef('Client'), description: 'The client as it is now.', headers: ETAG })
  @ApiResponse({ status: 404, description: NO_CLIENT })
  @ApiResponse({ status: 412 })
  @ApiResponse(PRECONDITION_REQUIRED)
  async replace(
    @Param('client_id') clientId: string,
    @Body() body: unknown,
    @CurrentCaller() actor: Caller,
    @Conditions() conditions: RequestConditions,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ClientDocument> {
    const isWanted = requiredPreconditionOf(conditions, this.settings);
    return this.answer(await this.clients.replace(clientId, body, actor, isWanted), reply);
  }

  @Patch(':client_id')
  @RequireScope('clients:write')
  @ApiOperation({
    operationId: 'patchClient',
    summary: 'Change some of the metadata of a client',
    description: 'A JSON Merge Patch (RFC 7396): null restores the default.',
  })
  @ApiParam(CLIENT_ID_PARAM)
  @ApiConsumes('application/merge-patch+json', 'application/json')
  @ApiHeader(IF_MATCH_HEADER)
  @ApiBody({ schema: schemaRef('ClientPatch') })
  @ApiOkResponse({ schema: schemaRef('Client'), description: 'The client as it is now.', headers: ETAG })
  @ApiResponse({ status: 404, description: NO_CLIENT })
  @ApiResponse({ status: 412 })
  @ApiResponse(PRECONDITION_REQUIRED)
  async patch(
    @Param('client_id') clientId: string,
    @Body() patch: unknown,
    @CurrentCaller() actor: Caller,
    @Conditions() conditions: RequestConditions,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ClientDocument> {
    const isWanted = requiredPreconditionOf(conditions, this.settings);
    return this.answer(await this.clients.patch(clientId, patch, actor, isWanted), reply);
  }

  @Delete(':client_id')
  @HttpCode(204)
  @RequireScope('clients:write')
  @ApiOperation({
    operationId: 'deleteClient',
    summary: 'Delete a client',
    description: 'Its secrets are deleted with it; its history is kept.',
  })
  @ApiParam(CLIENT_ID_PARAM)
  @ApiHeader(IF_MATCH_HEADER)
  @ApiResponse({ status: 204, description: 'The client is deleted.' })
  @ApiResponse(NO_IDEMPOTENCY_KEY)
  @ApiResponse({ status: 404, description: NO_CLIENT })
  @ApiResponse({ status: 412 })
  @ApiResponse(PRECONDITION_REQUIRED)
  async remove(
    @Param('client_id') clientId: string,
    @CurrentCaller() actor: Caller,
    @Conditions() conditions: RequestConditions,
  ): Promise<void> {
    await this.clients.remove(clientId, actor, requiredPreconditionOf(conditions, this.settings));
  }

  private answer(client: StoredClient, reply: FastifyReply): ClientDocument {
    void reply.header('etag', toEntityTag(client.revision));
    return this.toDocument(client);
  }

  private toDocument(client: StoredClient): ClientDocument {
    return toClientDocument(client, this.settings.capabilities);
  }
}
