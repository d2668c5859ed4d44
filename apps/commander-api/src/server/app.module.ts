import { type DynamicModule, Module } from '@nestjs/common';
import { HealthModule, MetricsModule } from '@svc/service-kit';
import { type Providers, ProvidersModule } from '../http/providers.module.js';
import { IplookupModule } from '../iplookup/iplookup.module.js';
import { LibrariesModule } from '../libraries/libraries.module.js';
import { PasswordsModule } from '../passwords/passwords.module.js';

/** What the server is made of. */
@Module({})
export class AppModule {
  static register(providers: Providers): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ProvidersModule.register(providers),
        HealthModule.register({ useFactory: () => [] }),
        MetricsModule.register(providers.metrics, providers.config.http.metrics ?? 'token'),
        IplookupModule,
        LibrariesModule,
        PasswordsModule,
      ],
    };
  }
}
