import { Body, Controller, Delete, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
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
import { CLIENT_ID_PARAM, ETAG, IF_MATCH_HEADER, NO_CLIENT, schemaRef } from '../openapi/operation-parts.js';
import { RegistrySettings } from '../settings/registry-settings.js';
import { toClientDocument } from './client-document.js';
import { ClientsService } from './clients.service.js';
import { AddRedirectUriBody, RemoveRedirectUriQuery, toAddedUri } from './redirect-uris.dto.js';
import type { StoredClient } from './stored-client.js';

/** Changes one redirect URI at a time, so that concurrent callers do not undo each other's changes. */
@ApiTags('clients')
@Controller('client/:client_id/redirect_uris')
export class RedirectUrisController {
  constructor(
    private readonly clients: ClientsService,
    private readonly settings: RegistrySettings,
  ) {}

  @Post()
  @HttpCode(200)
  @RequireScope('clients:write')
  @ApiOperation({
    operationId: 'addRedirectUri',
    summary: 'Add a redirect URI',
    description:
      'With `expires_in` it is temporary; if it already was, it gets the new expiry. Without `expires_in` it is permanent. Other redirect URIs stay as they are, even if they are changed meanwhile.',
  })
  @ApiParam(CLIENT_ID_PARAM)
  @ApiHeader(IF_MATCH_HEADER)
  @ApiOkResponse({ schema: schemaRef('Client'), description: 'The client as it is now.', headers: ETAG })
  @ApiResponse({ status: 404, description: NO_CLIENT })
  @ApiResponse({
    status: 409,
    description: 'It is already permanent, or 50 others are temporary.',
  })
  @ApiResponse({ status: 412 })
  async add(
    @Param('client_id') clientId: string,
    @Body() body: AddRedirectUriBody,
    @CurrentCaller() actor: Caller,
    @Conditions() conditions: RequestConditions,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ClientDocument> {
    const added = toAddedUri(body, Date.now());
    return this.answer(
      await this.clients.addRedirectUri(clientId, added, actor, preconditionOf(conditions)),
      reply,
    );
  }

  @Delete()
  @HttpCode(200)
  @RequireScope('clients:write')
  @ApiOperation({
    operationId: 'removeRedirectUri',
    summary: 'Remove a redirect URI',
    description:
      'If it is not registered, nothing changes. Other redirect URIs stay as they are, even if they are changed meanwhile.',
  })
  @ApiParam(CLIENT_ID_PARAM)
  @ApiHeader(IF_MATCH_HEADER)
  @ApiOkResponse({ schema: schemaRef('Client'), description: 'The client as it is now.', headers: ETAG })
  @ApiResponse({ status: 404, description: NO_CLIENT })
  @ApiResponse({ status: 412 })
  async remove(
    @Param('client_id') clientId: string,
    @Query() { redirect_uri: uri }: RemoveRedirectUriQuery,
    @CurrentCaller() actor: Caller,
    @Conditions() conditions: RequestConditions,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ClientDocument> {
    return this.answer(
      await this.clients.removeRedirectUri(clientId, uri, actor, preconditionOf(conditions)),
      reply,
    );
  }

  private answer(client: StoredClient, reply: FastifyReply): ClientDocument {
    void reply.header('etag', toEntityTag(client.revision));
    return toClientDocument(client, this.settings.capabilities);
  }
}
