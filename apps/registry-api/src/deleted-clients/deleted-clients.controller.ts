import { Controller, Delete, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { ClientDocument } from '@svc/client-metadata';
import { RequireScope } from '@svc/service-kit';
import type { FastifyReply } from 'fastify';
import { toClientDocument } from '../clients/client-document.js';
import {
  Conditions,
  preconditionOf,
  type RequestConditions,
  requiredPreconditionOf,
  toEntityTag,
} from '../http/conditional-requests.js';
import { type Caller, CurrentCaller } from '../http/current-caller.js';
import { NumberedPageQuery } from '../http/paging.js';
import { NO_IDEMPOTENCY_KEY } from '../idempotency/idempotency-key.decorator.js';
import { CLIENT_ID_PARAM, ETAG, IF_MATCH_HEADER, linkHeader, schemaRef } from '../openapi/operation-parts.js';
import { DeletedClientRetention, RegistrySettings } from '../settings/registry-settings.js';
import { DeletedClientDocument, DeletedClientPage, toDeletedClientDocument } from './deleted-clients.dto.js';
import { DeletedClientStore, type StoredDeletedClient } from './deleted-client.store.js';
import { DeletedClientsService } from './deleted-clients.service.js';

const NONE = 'No deleted client with this client_id can be restored.';

/** Deleted Clients stay here for a while. */
@ApiTags('clients')
@Controller('deleted-clients')
export class DeletedClientsController {
  constructor(
    private readonly deleted: DeletedClientStore,
    private readonly service: DeletedClientsService,
    private readonly retention: DeletedClientRetention,
    private readonly settings: RegistrySettings,
  ) {}

  @Get()
  @RequireScope('clients:read')
  @ApiOperation({
    operationId: 'listDeletedClients',
    summary: 'List deleted clients',
    description: 'Those that can be restored (DELETED_CLIENT_RETENTION_DAYS).',
  })
  @ApiOkResponse({
    type: DeletedClientPage,
    description: 'The deleted clients, latest deletion first.',
    headers: linkHeader('/deleted-clients?limit=50&cursor=41'),
  })
  async list(
    @Query() { limit, cursor }: NumberedPageQuery,
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<DeletedClientPage> {
    const found = await this.deleted.list(caller, limit + 1, cursor);
    const page = found.slice(0, limit);
    const clients = page.map((each) => this.toDocument(each));
    const last = found.length > limit ? page.at(-1) : undefined;
    if (!last) return { clients };
    void reply.header('link', `</deleted-clients?limit=${limit}&cursor=${last.seq}>; rel="next"`);
    return { clients, next: Number(last.seq) };
  }

  @Get(':client_id')
  @RequireScope('clients:read')
  @ApiOperation({
    operationId: 'getDeletedClient',
    summary: 'Read a deleted client',
    description: 'The client as it would be restored, and until when.',
  })
  @ApiParam(CLIENT_ID_PARAM)
  @ApiOkResponse({ type: DeletedClientDocument, description: 'The deleted client.', headers: ETAG })
  @ApiResponse({ status: 404, description: NONE })
  async find(
    @Param('client_id') clientId: string,
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<DeletedClientDocument> {
    const found = await this.deleted.find(clientId, caller);
    void reply.header('etag', toEntityTag(found.revision));
    return this.toDocument(found);
  }

  @Post(':client_id/restore')
  @HttpCode(200)
  @RequireScope('clients:write')
  @ApiOperation({
    operationId: 'restoreClient',
    summary: 'Restore a deleted client',
    description: 'It comes back disabled and without its secrets: generate one, then enable it.',
  })
  @ApiParam(CLIENT_ID_PARAM)
  @ApiHeader(IF_MATCH_HEADER)
  @ApiOkResponse({ schema: schemaRef('Client'), description: 'The client as it is now.', headers: ETAG })
  @ApiResponse(NO_IDEMPOTENCY_KEY)
  @ApiResponse({ status: 404, description: NONE })
  @ApiResponse({ status: 412 })
  async restore(
    @Param('client_id') clientId: string,
    @CurrentCaller() actor: Caller,
    @Conditions() conditions: RequestConditions,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ClientDocument> {
    const client = await this.service.restore(clientId, actor, preconditionOf(conditions));
    void reply.header('etag', toEntityTag(client.revision));
    return toClientDocument(client, this.settings.capabilities);
  }

  @Delete(':client_id')
  @HttpCode(204)
  @RequireScope('clients:write')
  @ApiOperation({
    operationId: 'purgeDeletedClient',
    summary: 'Delete a client permanently',
    description: 'It can no longer be restored; its history is kept. A security event records it.',
  })
  @ApiParam(CLIENT_ID_PARAM)
  @ApiHeader(IF_MATCH_HEADER)
  @ApiResponse({ status: 204, description: 'The client is deleted permanently.' })
  @ApiResponse(NO_IDEMPOTENCY_KEY)
  @ApiResponse({ status: 404, description: NONE })
  @ApiResponse({ status: 412 })
  @ApiResponse({ status: 428, description: 'This registry requires If-Match.' })
  async purge(
    @Param('client_id') clientId: string,
    @CurrentCaller() caller: Caller,
    @Conditions() conditions: RequestConditions,
  ): Promise<void> {
    await this.service.purge(clientId, caller, requiredPreconditionOf(conditions, this.settings));
  }

  private toDocument(deleted: StoredDeletedClient): DeletedClientDocument {
    const until = this.retention.keptUntil(deleted.deletedAt);
    return toDeletedClientDocument(deleted, until, this.settings.capabilities);
  }
}
