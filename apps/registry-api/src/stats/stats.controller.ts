import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '@svc/service-kit';
import { type Caller, CurrentCaller } from '../http/current-caller.js';
import { ClientStats } from './client-stats.js';
import { StatsService } from './stats.service.js';

@ApiTags('clients')
@Controller('clients/stats')
export class StatsController {
  constructor(private readonly stats: StatsService) {}

  @Get()
  @RequireScope('clients:read')
  @ApiOperation({
    operationId: 'readClientStats',
    summary: 'Count the clients by state, warning, label, manager, age and last use',
    description: 'The counts are up to 10 seconds old.',
  })
  @ApiOkResponse({ type: ClientStats, description: 'The statistics.' })
  async read(@CurrentCaller() caller: Caller): Promise<ClientStats> {
    return this.stats.read(caller);
  }
}
