import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import {
  ApiHeader,
  ApiOkResponse,
  ApiOperation,
  ApiProperty,
  ApiPropertyOptional,
  ApiTags,
} from '@nestjs/swagger';
import type { ClientDocument } from '@svc/client-metadata';
import { EventLoopYield, RequireScope } from '@svc/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Caller, CurrentCaller } from '../../http/current-caller.js';
import { DATA_AGE, linkHeader, MIN_CHANGE_SEQ_HEADER, schemaRef } from '../../openapi/operation-parts.js';
import { RegistrySettings } from '../../settings/registry-settings.js';
import { toListedClient } from '../client-document.js';
import type { StoredClient } from '../stored-client.js';
import { ClientListService } from './client-list.service.js';
import { ListClientsQuery } from './list-clients.query.js';
import { toClientFilter } from './to-client-filter.js';

/** A page as callers see it. */
class ClientList {
  @ApiProperty({ type: 'array', items: schemaRef('Client') })
  readonly clients!: readonly ClientDocument[];

  @ApiProperty({
    description:
      'Reading all pages reflects every change up to this one, and perhaps later ones: `since` of GET /clients/changes.',
    example: '42-9f86d081884c',
  })
  readonly seq!: string;

  @ApiPropertyOptional({ description: 'The cursor of the next page; absent on the last one.' })
  readonly next?: string;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    description: 'How many clients there are, with `count=true`; at most 10000.',
    example: 1,
  })
  readonly total?: number;

  @ApiPropertyOptional({ description: 'Present with `total`; false if there are more.' })
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
  @ApiOperation({
    operationId: 'listClients',
    summary: 'List clients',
    description: 'Searches, filters, sorts and counts them, page by page.',
  })
  @ApiHeader(MIN_CHANGE_SEQ_HEADER)
  @ApiOkResponse({
    type: ClientList,
    description: 'A page of clients.',
    headers: { ...linkHeader('/client?limit=50&cursor=eyJhZnRlciI6InNob3Atd2ViIn0'), ...DATA_AGE },
  })
  async list(
    @Query() query: ListClientsQuery,
    @CurrentCaller() caller: Caller,
    @Req() { url }: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ClientList> {
    const { sort, limit, cursor, count } = query;
    const filter = toClientFilter(query, caller);
    const page = await this.clients.list({
      ...{ filter, sort, limit, cursor },
      ...{ withTotal: count, owner: caller.id },
    });
    if (page.next !== undefined) void reply.header('link', `<${nextPath(url, page.next)}>; rel="next"`);
    return {
      clients: await this.documentsOf(page.clients),
      seq: page.seq,
      ...(page.next !== undefined && { next: page.next }),
      ...(page.total && { total: page.total.total, total_is_exact: page.total.isExact }),
    };
  }

  private async documentsOf(clients: readonly StoredClient[]): Promise<ClientDocument[]> {
    const documents: ClientDocument[] = [];
    const pause = new EventLoopYield();
    for (const client of clients) {
      await pause.ifDue();
      documents.push(toListedClient(client, this.settings.capabilities));
    }
    return documents;
  }
}

/** The same request for the next page, without the total, which would be the same. */
function nextPath(url: string, cursor: string): string {
  const { pathname, searchParams } = new URL(url, 'http://registry');
  searchParams.set('cursor', cursor);
  searchParams.delete('count');
  return `${pathname}?${searchParams.toString()}`;
}
