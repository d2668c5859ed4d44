import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '@svc/service-kit';
import { STATS_SCHEMA } from './stats-schema.js';
import { type DatedStats, StatsService } from './stats.service.js';

@ApiTags('clients')
@Controller('clients/stats')
export class StatsController {
  constructor(private readonly stats: StatsService) {}

  @Get()
  @RequireScope('clients:read')
  @ApiOperation({ summary: 'How many Clients there are, by state, warning, age and last use.' })
  @ApiResponse({ status: 200, schema: STATS_SCHEMA })
  async read(): Promise<DatedStats> {
    return this.stats.read();
  }
}
