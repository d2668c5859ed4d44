import {
  Body,
  Controller,
  Delete,
  Get,
  Headers,
  HttpCode,
  Param,
  Post,
  Put,
  Query,
  Res,
} from '@nestjs/common';
import { ApiBody, ApiHeader, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '@svc/service-kit';
import type { FastifyReply } from 'fastify';
import { CurrentActor } from '../http/current-actor.decorator.js';
import { namesTag, permits, toEntityTag } from '../http/entity-tag.js';
import { schemaRef } from '../openapi/schema-ref.js';
import { RegistrySettings } from '../registry-settings.js';
import type { Actor } from './actor.js';
import { type ClientDocument, toClientDocument } from './client-document.js';
import { ClientsService } from './clients.service.js';
import { ListClientsQuery } from './list-clients.query.js';
import type { StoredClient } from './stored-client.js';

/** A Client can be kept and asked for again with its entity tag, but not shared between users. */
const REVALIDATE = 'private, no-cache';

@ApiTags('clients')
@Controller('client')
export class ClientsController {
  constructor(
    private readonly clients: ClientsService,
    private readonly settings: RegistrySettings,
  ) {}

  @Post()
  @RequireScope('clients:write')
  @ApiOperation({ summary: 'Register a Client. The answer is the only one that holds its client_secret.' })
  @ApiBody({ schema: schemaRef('ClientRegistration') })
  @ApiResponse({ status: 201, schema: schemaRef('RegisteredClient') })
  @ApiResponse({ status: 400, schema: schemaRef('Problem') })
  @ApiResponse({ status: 409, description: 'The client_id is taken.', schema: schemaRef('Problem') })
  async register(
    @Body() body: unknown,
    @CurrentActor() actor: Actor,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ClientDocument & { client_secret: string }> {
    const { client, secret } = await this.clients.register(body, actor);
    void reply.header('location', `/client/${encodeURIComponent(client.clientId)}`);
    void reply.header('etag', toEntityTag(client.seq));
    return { ...this.toDocument(client), client_secret: secret };
  }

  @Get()
  @RequireScope('clients:read')
  @ApiOperation({ summary: 'List the Clients in the order of their registration, page by page.' })
  @ApiResponse({ status: 200, schema: schemaRef('ClientList') })
  async list(
    @Query() { limit, cursor }: ListClientsQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<{ clients: ClientDocument[]; next?: string }> {
    const { items, next } = await this.clients.list(limit, cursor);
    const clients = items.map((client) => this.toDocument(client));
    if (next === undefined) return { clients };
    void reply.header('link', `</client?limit=${limit}&cursor=${next}>; rel="next"`);
    return { clients, next };
  }

  @Get(':client_id')
  @RequireScope('clients:read')
  @ApiOperation({ summary: 'Read a Client.' })
  @ApiHeader({ name: 'If-None-Match', required: false, description: 'An ETag: 304 when it is current.' })
  @ApiResponse({ status: 200, schema: schemaRef('Client') })
  @ApiResponse({ status: 304, description: 'The Client has not changed.' })
  @ApiResponse({ status: 404, schema: schemaRef('Problem') })
  async find(
    @Param('client_id') clientId: string,
    @Headers('if-none-match') ifNoneMatch: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ClientDocument | undefined> {
    const client = await this.clients.find(clientId);
    void reply.header('etag', toEntityTag(client.seq)).header('cache-control', REVALIDATE);
    if (!namesTag(ifNoneMatch, client.seq)) return this.toDocument(client);
    void reply.status(304);
    return undefined;
  }

  @Put(':client_id')
  @RequireScope('clients:write')
  @ApiOperation({ summary: 'Replace what can be edited; what is left out gets its default.' })
  @ApiHeader({ name: 'If-Match', required: false, description: 'An ETag: 412 when it is not current.' })
  @ApiBody({ schema: schemaRef('ClientUpdate') })
  @ApiResponse({ status: 200, schema: schemaRef('Client') })
  @ApiResponse({ status: 400, schema: schemaRef('Problem') })
  @ApiResponse({ status: 404, schema: schemaRef('Problem') })
  @ApiResponse({ status: 412, schema: schemaRef('Problem') })
  async replace(
    @Param('client_id') clientId: string,
    @Body() body: unknown,
    @CurrentActor() actor: Actor,
    @Headers('if-match') ifMatch: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ClientDocument> {
    const client = await this.clients.replace(clientId, body, actor, (seq) => permits(ifMatch, seq));
    void reply.header('etag', toEntityTag(client.seq));
    return this.toDocument(client);
  }

  @Delete(':client_id')
  @HttpCode(204)
  @RequireScope('clients:write')
  @ApiOperation({ summary: 'Delete a Client. Its history stays.' })
  @ApiHeader({ name: 'If-Match', required: false, description: 'An ETag: 412 when it is not current.' })
  @ApiResponse({ status: 204, description: 'The Client is deleted.' })
  @ApiResponse({ status: 404, schema: schemaRef('Problem') })
  @ApiResponse({ status: 412, schema: schemaRef('Problem') })
  async remove(
    @Param('client_id') clientId: string,
    @CurrentActor() actor: Actor,
    @Headers('if-match') ifMatch: string | undefined,
  ): Promise<void> {
    await this.clients.remove(clientId, actor, (seq) => permits(ifMatch, seq));
  }

  private toDocument(client: StoredClient): ClientDocument {
    return toClientDocument(client, this.settings.capabilities);
  }
}
