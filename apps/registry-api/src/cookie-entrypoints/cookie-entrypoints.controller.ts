import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '@svc/service-kit';
import type { CookieHost } from './cookie-entrypoints.js';
import { CookieEntrypointsService } from './cookie-entrypoints.service.js';

const LIST_OF_TEXT = { type: 'array', items: { type: 'string' } };

const COOKIE_ENTRYPOINTS = {
  type: 'object',
  required: ['hosts', 'lacking'],
  properties: {
    hosts: {
      type: 'array',
      items: {
        type: 'object',
        required: ['hostname', 'entrypoints', 'client_count', 'clients'],
        properties: {
          hostname: { type: 'string' },
          entrypoints: LIST_OF_TEXT,
          client_count: { type: 'integer' },
          clients: { ...LIST_OF_TEXT, description: 'The first 100.' },
        },
      },
    },
    lacking: { ...LIST_OF_TEXT, description: 'The hostnames without an entry point.' },
  },
};

@ApiTags('clients')
@Controller('clients/cookie_entrypoints')
export class CookieEntrypointsController {
  constructor(private readonly entrypoints: CookieEntrypointsService) {}

  @Get()
  @RequireScope('clients:read')
  @ApiOperation({
    summary:
      'The hostnames with Clients that use cookie-based authorization, their entry points, and those that lack one.',
  })
  @ApiResponse({ status: 200, schema: COOKIE_ENTRYPOINTS })
  async list(): Promise<{ hosts: CookieHost[]; lacking: string[] }> {
    const hosts = await this.entrypoints.hosts();
    const lacking = hosts
      .filter(({ entrypoints }) => entrypoints.length === 0)
      .map(({ hostname }) => hostname);
    return { hosts, lacking };
  }
}
