import type { Capabilities } from '@svc/client-metadata';
import { packageVersion } from '@svc/foundation/files';
import {
  createMetrics,
  type HttpService,
  type Metrics,
  startHttpService,
  startTracing,
} from '@svc/service-kit';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { AppModule, type RegistryParts } from './app.module.js';
import { ClientKeys } from './assertions/client-keys.js';
import { openAudit } from './audit/open-audit.js';
import { raiseBulkLimit } from './bulk/bulk.module.js';
import { chooseWhereToRead } from './clients/choose-where-to-read.js';
import { refreshWarnings } from './clients/refresh-warnings.js';
import { capabilitiesOf, type Config } from './config.js';
import { assertGranted } from './database/assert-granted.js';
import { migrate } from './database/migrate.js';
import { type Database, openStandbys } from './database/open-database.js';
import { poolOf } from './database/transaction.js';
import { toProblem } from './http/problems.js';
import { readMergePatches } from './http/read-merge-patches.js';
import { refuseIdempotencyKeys } from './idempotency/idempotency-key.decorator.js';
import { readImports } from './import/import-body.js';
import { RegistryMetrics, watchPool } from './metrics/registry-metrics.js';
import { oidcSettingsOf } from './oidc/oidc-settings.js';
import { openAccessTokens } from './oidc/oidc-token-verifier.js';
import { describeRegistry } from './openapi/describe-registry.js';
import { answerAsOAuth } from './registration/registration.controller.js';
import { openRegistryDatabase } from './registry-database.js';
import { EventKeys } from './secrets/event-keys.js';
import { loadPeppers, type Peppers, reportPeppers } from './secrets/peppers.js';
import { SecretHasher } from './secrets/secret-hasher.js';
import {
  DeletedClientRetention,
  JobRetention,
  LifetimePolicy,
  RegistrationPolicy,
  RegistrySettings,
  RetentionPolicy,
  SecretPolicy,
  UsagePolicy,
} from './settings/registry-settings.js';
import { EventRetention } from './security-events/event-pruner.js';
import { recordSettings } from './security-events/record-settings.js';
import { countEvents, logEvents, SecurityEvents } from './security-events/security-events.js';
import { makeBootstrapToken } from './tokens/bootstrap-token.js';
import { TokenLifetimes } from './tokens/tokens.service.js';
import { uiSettingsOf } from './ui/ui-settings.js';

const version = packageVersion(import.meta.url);

/** Opens the database, applies migrations, creates the bootstrap token and serves HTTP. `close` shuts everything down. */
export async function startRegistry(config: Config, logger: Logger): Promise<HttpService> {
  const opened: Closable[] = [];
  const open = <T extends Closable>(part: T): T => {
    opened.push(part);
    return part;
  };
  const close = async () => closeAll(opened.toReversed());
  try {
    open(await startTracing('registry', version, logger));
    const database = open(await openRegistryDatabase(config, logger));
    // Without a right to the table of migrations, all would seem to be pending.
    await assertGranted(database.dataSource);
    const applied = await migrate(database.dataSource);
    if (applied.length > 0) logger.info({ applied }, 'applied migrations');
    await assertGranted(database.dataSource);
    const peppers = await loadPeppers(config);
    const metrics = createMetrics('registry', version);
    const events = open(openEvents(config, database, peppers, logger, metrics));
    await makeBootstrapToken(database.dataSource, config, logger, events);
    await recordSettings(database.dataSource, config.given, events);
    open(await openStandbys(config, database));
    const service = open(await startHttp(config, logger, database, { events, metrics, peppers }));
    logger.info({ url: service.url }, 'listening');
    return { ...service, close };
  } catch (error) {
    // The reason to report is why it did not start.
    await close().catch(() => undefined);
    throw error;
  }
}

interface Closable {
  close(): Promise<void>;
}

/** Closes each part even if another cannot be closed. @throws the first such failure */
async function closeAll(parts: readonly Closable[]): Promise<void> {
  const failures: unknown[] = [];
  for (const part of parts) await part.close().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

/** What is opened before the modules, besides the database. */
interface Opened {
  readonly events: SecurityEvents;
  readonly metrics: Metrics;
  readonly peppers: Peppers;
}

function openEvents(
  { AUDIT_LOG }: Config,
  { dataSource }: Database,
  peppers: Peppers,
  logger: Logger,
  { registry }: Metrics,
): SecurityEvents {
  const listeners = [countEvents(registry), ...(AUDIT_LOG === 'on' ? [logEvents(logger)] : [])];
  return new SecurityEvents(dataSource, new EventKeys(peppers), logger, listeners);
}

async function startHttp(
  config: Config,
  logger: Logger,
  { dataSource }: Database,
  { events, metrics, peppers }: Opened,
): Promise<HttpService> {
  const capabilities = capabilitiesOf(config);
  await refreshWarnings(dataSource, capabilities);
  const hasher = new SecretHasher(peppers);
  await reportPeppers(dataSource, hasher, logger);
  const registryMetrics = new RegistryMetrics(metrics.registry);
  watchPool(registryMetrics, dataSource);
  const audit = openAudit(config, logger, metrics, events);
  const module = AppModule.register({
    dataSource,
    settings: settingsOf(config, capabilities),
    hasher,
    events,
    zones: audit.zones,
    accessTokens: openAccessTokens(config, logger),
    webhookPolicy: config.COOKIE_WEBHOOK_ALLOW,
    clientKeys: new ClientKeys(config.JWKS_URI_ALLOW),
    registration: config.REGISTRATION,
    ...policiesOf(config),
    ui: uiSettingsOf(config, oidcSettingsOf(config)),
    metrics,
    registryMetrics,
    metricsAccess: config.METRICS,
  });
  return startHttpService(module, {
    address: config.ADDRESS,
    port: config.PORT,
    logger,
    metrics,
    trustedProxies: config.TRUSTED_PROXIES,
    allowedOrigins: config.CORS_ORIGINS,
    pathOrigins: { path: '/register', origins: config.REGISTRATION_CORS_ORIGINS },
    rateLimits: { perToken: config.RATE_LIMIT_PER_TOKEN, perAddress: config.RATE_LIMIT_PER_ADDRESS },
    publicApiDocument: config.API_DOCUMENT === 'public',
    problems: [toProblem],
    configure: (fastify) => {
      if (poolOf(dataSource).standbys) chooseWhereToRead(fastify);
      prepareRoutes(fastify);
      audit.follow(fastify);
      readImports(fastify);
    },
    ...audit.options,
    api: describeRegistry(version, capabilities),
  });
}

function settingsOf(config: Config, capabilities: Capabilities): RegistrySettings {
  const secrets = new SecretPolicy(
    config.SECRET_MAX_LIFETIME,
    config.SECRET_NOTICE_DAYS,
    config.SECRET_IMPORT === 'allowed' ? config.SECRET_IMPORT_MAX_AGE : undefined,
  );
  const registrationTokens = new LifetimePolicy(config.REGISTRATION_TOKEN_LIFETIME);
  return new RegistrySettings(
    capabilities,
    config.COOKIE_PREFIX,
    config.IF_MATCH,
    secrets,
    registrationTokens,
    config.PUBLIC_URL,
  );
}

function policiesOf(
  config: Config,
): Pick<
  RegistryParts,
  | 'registrationPolicy'
  | 'retention'
  | 'deletedRetention'
  | 'jobRetention'
  | 'eventRetention'
  | 'tokenLifetimes'
  | 'usage'
> {
  const retention = new RetentionPolicy(config.CHANGE_RETENTION_DAYS);
  return {
    registrationPolicy: registrationPolicyOf(config),
    retention,
    deletedRetention: new DeletedClientRetention(config.DELETED_CLIENT_RETENTION_DAYS),
    jobRetention: new JobRetention(config.JOB_RETENTION_DAYS),
    eventRetention: new EventRetention(config.AUDIT_RETENTION_DAYS),
    usage: new UsagePolicy(config.USAGE === 'on', config.USAGE_RETENTION_DAYS),
    tokenLifetimes: new TokenLifetimes(config.OIDC_TOKEN_MAX_LIFETIME, retention),
  };
}

function registrationPolicyOf(config: Config): RegistrationPolicy {
  const limits = {
    perAddress: config.REGISTRATION_OPEN_PER_ADDRESS,
    perDay: config.REGISTRATION_OPEN_PER_DAY,
    pending: config.REGISTRATION_OPEN_PENDING,
  };
  const isOpen = config.REGISTRATION === 'open';
  return new RegistrationPolicy(
    isOpen ? limits : undefined,
    config.REGISTRATION_UNUSED_DAYS,
    config.REGISTRATION_PENDING_DAYS,
    config.REGISTRATION_PER_USER,
  );
}

function prepareRoutes(fastify: FastifyInstance): void {
  readMergePatches(fastify);
  answerAsOAuth(fastify);
  refuseIdempotencyKeys(fastify);
  raiseBulkLimit(fastify);
}
