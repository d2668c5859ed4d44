import { type DynamicModule, type FactoryProvider, Module } from '@nestjs/common';
import { HealthController } from './health.controller.js';
import { Readiness, READINESS_CHECKS, type ReadinessCheck } from './readiness.js';

/** `GET /health/live` and `GET /health/ready`. */
@Module({})
export class HealthModule {
  /** @param checks how the service's checks are made, such as `{ inject: [DataSource], useFactory: … }` */
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
