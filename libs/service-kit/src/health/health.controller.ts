import { Controller, Get, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Public } from '../access/access.decorators.js';
import { AddRouteConfig } from '../request/add-route-config.js';
import { Readiness } from './readiness.js';

/** Probes for a container engine or a load balancer. */
@Public()
@ApiTags('health')
@Controller('health')
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  @Get('live')
  @AddRouteConfig({ unlimited: true })
  @ApiOperation({ summary: 'Is the process alive? A failing probe asks for a restart.' })
  live(): { status: 'alive' } {
    return { status: 'alive' };
  }

  @Get('ready')
  @AddRouteConfig({ unlimited: true })
  @ApiOperation({ summary: 'Does the service take work now? 503 asks to send it elsewhere.' })
  async ready(@Res({ passthrough: true }) reply: FastifyReply) {
    const { ready, checks } = await this.readiness.examine();
    void reply.status(ready ? 200 : 503);
    return { status: ready ? 'ready' : 'not ready', checks };
  }
}
