import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { ClientDocument } from '@svc/client-metadata';
import { RequireScope } from '@svc/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { schemaRef } from '../../openapi/schema-ref.js';
import { RegistrySettings } from '../../settings/registry-settings.js';
import { toListedClient } from '../client-document.js';
import { ClientListService } from './client-list.service.js';
import { ListClientsQuery, toClientFilter } from './list-clients.query.js';

/** A page as callers see it. */
interface ClientListDocument {
  readonly clients: readonly ClientDocument[];
  readonly seq: number;
  readonly next?: string;
  readonly total?: number;
  readonly total_is_exact?: boolean;
}

@ApiTags('clients')
@Controller('client')
export class ClientListController {
  constructor(
    private readonly clients: ClientListService,
    private readonly settings: RegistrySettings,
  ) {}

  @Get()
  @RequireScope('clients:read')
  @ApiOperation({ summary: 'List Clients: search, filter, sort and count them, page by page.' })
  @ApiResponse({ status: 200, schema: schemaRef('ClientList') })
  @ApiResponse({ status: 400, schema: schemaRef('Problem') })
  async list(
    @Query() query: ListClientsQuery,
    @Req() { url }: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ClientListDocument> {
    const { sort, limit, cursor, count } = query;
    const filter = toClientFilter(query);
    const page = await this.clients.list({ filter, sort, limit, cursor, withTotal: count });
    if (page.next !== undefined) void reply.header('link', `<${nextPath(url, page.next)}>; rel="next"`);
    return {
      clients: page.clients.map((client) => toListedClient(client, this.settings.capabilities)),
      seq: page.seq,
      ...(page.next !== undefined && { next: page.next }),
      ...(page.total && { total: page.total.total, total_is_exact: page.total.isExact }),
    };
  }
}

/** The same request for the next page, without the total, which would be the same. */
function nextPath(url: string, cursor: string): string {
  const { pathname, searchParams } = new URL(url, 'http://registry');
  searchParams.set('cursor', cursor);
  searchParams.delete('count');
  return `${pathname}?${searchParams.toString()}`;
}
