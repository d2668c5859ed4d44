import { type DynamicModule, Module } from '@nestjs/common';
import type { Metrics } from '@svc/service-kit';

/** Nest's injection token for the server's {@link Metrics}, to which modules add figures of their own. */
export const METRICS = Symbol('Metrics');

/** Hands the figures to every module. */
@Module({})
export class MetricsRegistryModule {
  static register(metrics: Metrics): DynamicModule {
    return {
      module: MetricsRegistryModule,
      global: true,
      providers: [{ provide: METRICS, useValue: metrics }],
      exports: [METRICS],
    };
  }
}
