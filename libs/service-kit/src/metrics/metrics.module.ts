import { Controller, type DynamicModule, Get, Header, Inject, Module } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Registry } from 'prom-client';
import { Public, RequireScope } from '../access/access.decorators.js';
import type { Metrics } from './metrics.js';

/** `GET /metrics`, with the scope `metrics:read` or, by configuration, without a token. */
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
    @ApiOperation({ summary: 'Figures in the text format of Prometheus.' })
    read(): Promise<string> {
      return this.registry.metrics();
    }
  }
  return MetricsController;
}
