import { type DynamicModule, Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { HealthModule, type Metrics, MetricsModule, type TokenVerifier } from '@svc/service-kit';
import { DataSource } from 'typeorm';
import { ChecksModule } from './checks/checks.module.js';
import { ClientsModule } from './clients/clients.module.js';
import { CookieEntrypointsModule } from './cookie-entrypoints/cookie-entrypoints.module.js';
import { DestinationPolicy } from './cookie-webhook/destination-policy.js';
import { FeaturesModule } from './features/features.module.js';
import { readinessChecks } from './health/readiness-checks.js';
import { ACCESS_TOKENS } from './oidc/any-token-verifier.js';
import { RegistrySettings } from './registry-settings.js';
import { RegistrationModule } from './registration/registration.module.js';
import { SecretHasher } from './secrets/secret-hasher.js';
import { TokensModule } from './tokens/tokens.module.js';
import { UiModule } from './ui/ui.module.js';

/** What the modules are made of, opened before and closed after them. */
export interface RegistryParts {
  readonly dataSource: DataSource;
  readonly settings: RegistrySettings;
  readonly hasher: SecretHasher;
  /** Of the configured OpenID Connect issuer. */
  readonly accessTokens?: TokenVerifier | undefined;
  /** Where cookie webhooks may be. */
  readonly webhookPolicy: DestinationPolicy;
  /** Whether developers may register Clients. */
  readonly registration: 'off' | 'token';
  readonly metrics: Metrics;
  readonly metricsAccess: 'token' | 'public';
}

@Global()
@Module({})
export class AppModule {
  static register({
    dataSource,
    settings,
    hasher,
    accessTokens,
    webhookPolicy,
    registration,
    metrics,
    metricsAccess,
  }: RegistryParts): DynamicModule {
    return {
      module: AppModule,
      imports: [
        TypeOrmModule.forRootAsync({
          useFactory: () => dataSource.options,
          dataSourceFactory: async () => dataSource,
        }),
        HealthModule.register({ inject: [DataSource], useFactory: readinessChecks }),
        MetricsModule.register(metrics, metricsAccess),
        TokensModule,
        FeaturesModule,
        ClientsModule,
        ChecksModule,
        CookieEntrypointsModule,
        ...(registration === 'off' ? [] : [RegistrationModule]),
        UiModule,
      ],
      providers: [
        { provide: RegistrySettings, useValue: settings },
        { provide: SecretHasher, useValue: hasher },
        { provide: ACCESS_TOKENS, useValue: accessTokens },
        { provide: DestinationPolicy, useValue: webhookPolicy },
      ],
      exports: [RegistrySettings, SecretHasher, ACCESS_TOKENS, DestinationPolicy],
    };
  }
}
