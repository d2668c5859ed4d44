import { type DynamicModule, type FactoryProvider, Module, Controller, Get, Res } from '@nestjs/common';
import {
  type CheckOutcome,
  Readiness,
  READINESS_CHECKS,
  type ReadinessCheck,
  type ReadinessStatus,
} from './readiness.js';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Public } from '../access/access.decorators.js';
import { AddRouteConfig } from '../request/add-route-config.js';

/** `GET /health/live` and `GET /health/ready`. */
@Module({})
export class HealthModule {
  /** @param checks a factory of the service's checks, such as `{ inject: [DataSource], useFactory: … }` */
  static register(checks: Pick<FactoryProvider<ReadinessCheck[]>, 'inject' | 'useFactory'>): DynamicModule {
    return {
      module: HealthModule,
      controllers: [HealthController],
      providers: [
        { provide: READINESS_CHECKS, ...checks },
        {
          provide: Readiness,
          inject: [READINESS_CHECKS],
          useFactory: (made: ReadinessCheck[]) => new Readiness(made),
        },
      ],
    };
  }
}

class Liveness {
  @ApiProperty({ enum: ['alive'] })
  readonly status!: 'alive';
}

class ReadinessReport {
  @ApiProperty({
    enum: ['ready', 'degraded', 'not ready'],
    description: '`degraded`: reads are served, writes are not at the moment.',
  })
  readonly status!: ReadinessStatus;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string', enum: ['up', 'degraded', 'down'] },
    description: 'Each check by its name.',
    example: { database: 'up' },
  })
  readonly checks!: Readonly<Record<string, CheckOutcome>>;
}

/** Probes for a container engine or a load balancer. */
@Public()
@ApiTags('health')
@Controller('health')
class HealthController {
  constructor(private readonly readiness: Readiness) {}

  @Get('live')
  @AddRouteConfig({ unlimited: true })
  @ApiOperation({
    operationId: 'checkLiveness',
    summary: 'Check that the process is alive',
    description: 'Restart the process if this probe fails. It checks nothing else, and needs no token.',
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
    description: 'Send requests elsewhere if this probe fails. It needs no token.',
  })
  @ApiOkResponse({
    type: ReadinessReport,
    description: 'All checks passed, or only reads are served (`degraded`).',
  })
  @ApiResponse({
    status: 503,
    type: ReadinessReport,
    description: 'A check failed, or the service is shutting down.',
  })
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<ReadinessReport> {
    const { status, checks } = await this.readiness.examine();
    if (status === 'not ready') void reply.status(503).header('retry-after', '1');
    return { status, checks };
  }
}
