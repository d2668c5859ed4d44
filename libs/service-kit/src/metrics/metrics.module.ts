import { Controller, type DynamicModule, Get, Header, Inject, Module } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Registry } from 'prom-client';
import { Public, RequireScope } from '../access/access.decorators.js';
import type { Metrics } from './metrics.js';

/** `GET /metrics`, with the scope `metrics:read` or, if configured, without a token. */
@Module({})
export class MetricsModule {
  static register(metrics: Metrics, access: 'token' | 'public'): DynamicModule {
    return {
      module: MetricsModule,
      controllers: [controllerFor(access === 'public' ? Public() : RequireScope('metrics:read'))],
      providers: [{ provide: Registry, useValue: metrics.registry }],
    };
  }
}

function controllerFor(Access: ClassDecorator & MethodDecorator) {
  @Access
  @ApiTags('operations')
  @Controller('metrics')
  class MetricsController {
    constructor(@Inject(Registry) private readonly registry: Registry) {}

    @Get()
    @Header('content-type', Registry.PROMETHEUS_CONTENT_TYPE)
    @ApiOperation({
      operationId: 'readMetrics',
      summary: 'Read the metrics',
      description: 'In the text format of Prometheus.',
    })
    @ApiOkResponse({
      description: 'All metrics of this process.',
      content: {
        'text/plain': {
          schema: { type: 'string', example: 'process_resident_memory_bytes 98123776\n' },
        },
      },
    })
    read(): Promise<string> {
      return this.registry.metrics();
    }
  }
  return MetricsController;
}
