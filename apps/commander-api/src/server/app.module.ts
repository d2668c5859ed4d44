import { type DynamicModule, Module } from '@nestjs/common';
import { HealthModule, type Metrics, MetricsModule, type TokenVerifier } from '@svc/service-kit';
import type { CommanderConfig } from '../config/commander-config.js';
import { ConfigModule } from '../config/config.module.js';
import { AccessModule } from './access.module.js';
import { LoggerModule, type Logger } from '../http/logger.module.js';
import { MetricsRegistryModule } from '../http/metrics-registry.module.js';
import { IplookupModule } from '../iplookup/iplookup.module.js';
import { LibrariesModule } from '../libraries/libraries.module.js';
import { PasswordsModule } from '../passwords/passwords.module.js';

/** What the server is made of. */
@Module({})
export class AppModule {
  static register(
    config: CommanderConfig,
    verifier: TokenVerifier,
    logger: Logger,
    metrics: Metrics,
  ): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.register(config),
        LoggerModule.register(logger),
        AccessModule.register(verifier),
        HealthModule.register({ useFactory: () => [] }),
        MetricsRegistryModule.register(metrics),
        MetricsModule.register(metrics, config.http.metrics ?? 'token'),
        IplookupModule,
        LibrariesModule,
        PasswordsModule,
      ],
    };
  }
}
