import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '@svc/service-kit';
import { type Caller, CurrentCaller } from '../http/current-caller.js';
import { CookieEntrypoints, CookieEntrypointsService } from './cookie-entrypoints.service.js';

@ApiTags('clients')
@Controller('clients/cookie_entrypoints')
export class CookieEntrypointsController {
  constructor(private readonly entrypoints: CookieEntrypointsService) {}

  @Get()
  @RequireScope('clients:read')
  @ApiOperation({
    operationId: 'listCookieEntrypoints',
    summary: 'List the cookie entry points by hostname',
    description:
      'Every hostname of clients with cookie-based authorization, and the hostnames without an entry point.',
  })
  @ApiOkResponse({ type: CookieEntrypoints, description: 'The hostnames, sorted by name.' })
  async list(@CurrentCaller() caller: Caller): Promise<CookieEntrypoints> {
    const hosts = await this.entrypoints.hosts(caller);
    const lacking = hosts
      .filter(({ entrypoints }) => entrypoints.length === 0)
      .map(({ hostname }) => hostname);
    return { hosts, lacking };
  }
}
