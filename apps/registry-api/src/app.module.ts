import { fileURLToPath } from 'node:url';
import { type DynamicModule, Global, Module, type ValueProvider } from '@nestjs/common';
import {
  HealthModule,
  type Metrics,
  MetricsModule,
  type TokenVerifier,
  type ReadinessCheck,
} from '@svc/service-kit';
import { DataSource } from 'typeorm';
import { type Zones, ZONES } from './audit/lookup-file.js';
import { ClientKeys } from './assertions/client-keys.js';
import { BulkModule } from './bulk/bulk.module.js';
import { ChangesModule } from './changes/changes.module.js';
import { ChecksModule } from './checks/checks.module.js';
import { ClientsModule } from './clients/clients.module.js';
import { ClientListModule } from './clients/list/client-list.module.js';
import { CookieEntrypointsModule } from './cookie-entrypoints/cookie-entrypoints.module.js';
import { DestinationPolicy } from '@svc/service-kit/destinations';
import { ExplainModule } from './explain/explain.module.js';
import { DeletedClientsModule } from './deleted-clients/deleted-clients.module.js';
import { ExportModule } from './export/export.module.js';
import { FeaturesModule } from './features/features.module.js';
import { HistoryModule } from './history/history.module.js';
import { IdempotencyModule } from './idempotency/idempotency.module.js';
import { ImportModule } from './import/import.module.js';
import { JobsModule } from './jobs/jobs.module.js';
import { RegistryMetrics } from './metrics/registry-metrics.js';
import { RecommendationsModule } from './recommendations/recommendations.module.js';
import { RegistrationModule } from './registration/registration.module.js';
import { SecretNoticesModule } from './secret-notices/secret-notices.module.js';
import { SecretHasher } from './secrets/secret-hasher.js';
import { EventRetention } from './security-events/event-pruner.js';
import { SecurityEventListModule } from './security-events/list/security-event-list.module.js';
import { SecurityEvents } from './security-events/security-events.js';
import {
  DeletedClientRetention,
  JobRetention,
  RegistrationPolicy,
  RegistrySettings,
  RetentionPolicy,
  UsagePolicy,
} from './settings/registry-settings.js';
import { StatsModule } from './stats/stats.module.js';
import { ACCESS_TOKENS } from './tokens/token-verifiers.js';
import { TokenLifetimes } from './tokens/tokens.service.js';
import { TokensModule } from './tokens/tokens.module.js';
import { UnusedClientsModule } from './unused-clients/unused-clients.module.js';
import { UsageModule } from './usage/usage.module.js';
import type { UiSettings } from './ui/ui-settings.js';
import { UiModule } from './ui/ui.module.js';
import { assertMigrated } from './database/migrate.js';
import { poolOf } from './database/transaction.js';

/** What the modules need; opened before and closed after them. */
export interface RegistryParts {
  readonly dataSource: DataSource;
  readonly settings: RegistrySettings;
  readonly hasher: SecretHasher;
  readonly events: SecurityEvents;
  /** Finds the zone of an address; absent when no lookup file is configured. */
  readonly zones?: Zones | undefined;
  /** Verifies access tokens of the configured OpenID Connect issuer. */
  readonly accessTokens?: TokenVerifier | undefined;
  /** The addresses that cookie webhooks may have. */
  readonly webhookPolicy: DestinationPolicy;
  /** Whether developers may register Clients, and whether only with a token. */
  readonly registration: 'off' | 'token' | 'open';
  readonly registrationPolicy: RegistrationPolicy;
  /** Fetches keys of Clients. */
  readonly clientKeys: ClientKeys;
  readonly ui: UiSettings;
  readonly retention: RetentionPolicy;
  readonly deletedRetention: DeletedClientRetention;
  readonly eventRetention: EventRetention;
  readonly jobRetention: JobRetention;
  readonly usage: UsagePolicy;
  readonly tokenLifetimes: TokenLifetimes;
  readonly metrics: Metrics;
  readonly registryMetrics: RegistryMetrics;
  readonly metricsAccess: 'token' | 'public';
}

/** Beside this app, in a checkout and in the image. This file is at the top of `compiled` and of `dist`. */
const BUILT_UI = fileURLToPath(new URL('../../registry-ui/dist/', import.meta.url));

@Global()
@Module({})
export class AppModule {
  static register(parts: RegistryParts): DynamicModule {
    const { metrics, metricsAccess, registration, ui } = parts;
    const values = valuesOf(parts);
    return {
      module: AppModule,
      imports: [
        HealthModule.register({ inject: [DataSource], useFactory: readinessChecks }),
        MetricsModule.register(metrics, metricsAccess),
        IdempotencyModule,
        TokensModule,
        FeaturesModule,
        ClientsModule,
        BulkModule,
        JobsModule,
        ClientListModule,
        DeletedClientsModule,
        HistoryModule,
        ExportModule,
        ImportModule,
        StatsModule,
        UsageModule,
        UnusedClientsModule,
        RecommendationsModule,
        ChecksModule,
        ExplainModule,
        ChangesModule,
        SecretNoticesModule,
        SecurityEventListModule,
        CookieEntrypointsModule,
        ...(registration === 'off' ? [] : [RegistrationModule]),
        UiModule.register(BUILT_UI, ui),
      ],
      providers: values,
      exports: values.map(({ provide }) => provide),
    };
  }
}

/** Providers for all modules. */
function valuesOf({
  dataSource,
  settings,
  hasher,
  events,
  zones,
  accessTokens,
  webhookPolicy,
  registrationPolicy,
  clientKeys,
  retention,
  deletedRetention,
  eventRetention,
  jobRetention,
  usage,
  tokenLifetimes,
  registryMetrics,
}: RegistryParts): ValueProvider[] {
  return [
    { provide: DataSource, useValue: dataSource },
    { provide: RegistrySettings, useValue: settings },
    { provide: SecretHasher, useValue: hasher },
    { provide: SecurityEvents, useValue: events },
    { provide: ZONES, useValue: zones },
    { provide: ACCESS_TOKENS, useValue: accessTokens },
    { provide: DestinationPolicy, useValue: webhookPolicy },
    { provide: RegistrationPolicy, useValue: registrationPolicy },
    { provide: ClientKeys, useValue: clientKeys },
    { provide: RetentionPolicy, useValue: retention },
    { provide: DeletedClientRetention, useValue: deletedRetention },
    { provide: EventRetention, useValue: eventRetention },
    { provide: JobRetention, useValue: jobRetention },
    { provide: UsagePolicy, useValue: usage },
    { provide: TokenLifetimes, useValue: tokenLifetimes },
    { provide: RegistryMetrics, useValue: registryMetrics },
  ];
}

/** The registry is ready if the database responds and has all migrations. */
function readinessChecks(dataSource: DataSource): ReadinessCheck[] {
  return [
    { name: 'postgresql', check: async () => databaseState(dataSource) },
    {
      name: 'migrations',
      // A standby has the migrations that the registry found or applied at its start; so does a database that serves requests.
      check: async () =>
        (await isReadOnly(dataSource)) || poolOf(dataSource).isBusy ? undefined : assertMigrated(dataSource),
    },
  ];
}

/** Connecting already requires a server that takes writes. */
async function databaseState(dataSource: DataSource): Promise<void | 'degraded'> {
  if (await isReadOnly(dataSource)) return 'degraded';
  const pool = poolOf(dataSource);
  if (!pool.isBusy) await dataSource.query('SELECT 1');
  return pool.isWritable ? undefined : 'degraded';
}

/** Whether the primary is away, and standbys serve reads. */
async function isReadOnly(dataSource: DataSource): Promise<boolean> {
  return (await poolOf(dataSource).standbys?.isServingAlone()) ?? false;
}
