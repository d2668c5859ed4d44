import { Controller, Get, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Public } from '../access/access.decorators.js';
import { AddRouteConfig } from '../request/add-route-config.js';
import { Readiness } from './readiness.js';

class Liveness {
  @ApiProperty({ enum: ['alive'] })
  readonly status!: 'alive';
}

class ReadinessReport {
  @ApiProperty({ enum: ['ready', 'not ready'] })
  readonly status!: 'ready' | 'not ready';

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string', enum: ['up', 'down'] },
    description: 'Each check by its name.',
    example: { database: 'up' },
  })
  readonly checks!: Readonly<Record<string, 'up' | 'down'>>;
}

/** Probes for a container engine or a load balancer. */
@Public()
@ApiTags('health')
@Controller('health')
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  @Get('live')
  @AddRouteConfig({ unlimited: true })
  @ApiOperation({
    operationId: 'checkLiveness',
    summary: 'Check that the process is alive',
    description: 'Restart the process if this probe fails. It checks nothing else, and takes no token.',
  })
  @ApiOkResponse({ type: Liveness, description: 'The process is alive.' })
  live(): Liveness {
    return { status: 'alive' };
  }

  @Get('ready')
  @AddRouteConfig({ unlimited: true })
  @ApiOperation({
    operationId: 'checkReadiness',
    summary: 'Check that the service can take requests',
    description: 'Send requests elsewhere if this probe fails. It takes no token.',
  })
  @ApiOkResponse({ type: ReadinessReport, description: 'All checks passed.' })
  @ApiResponse({
    status: 503,
    type: ReadinessReport,
    description: 'A check failed, or the service is shutting down.',
  })
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<ReadinessReport> {
    const { ready, checks } = await this.readiness.examine();
    void reply.status(ready ? 200 : 503);
    return { status: ready ? 'ready' : 'not ready', checks };
  }
}
