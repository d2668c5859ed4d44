import { createMetrics, type HttpService, startHttpService } from '@svc/service-kit';
import type { Logger } from 'pino';
import { AppModule } from './app.module.js';
import { capabilitiesOf, type Config } from './config.js';
import { migrate } from './database/migrate.js';
import { type Database, openDatabase } from './database/open-database.js';
import { readJsonBodies } from './http/read-json-bodies.js';
import { toProblem } from './http/problems.js';
import { openAccessTokens } from './oidc/oidc-token-verifier.js';
import { describeClients } from './openapi/describe-clients.js';
import { answerAsOAuth } from './registration/answer-as-oauth.js';
import { RegistrySettings } from './registry-settings.js';
import { loadPeppers } from './secrets/load-peppers.js';
import { SecretHasher } from './secrets/secret-hasher.js';
import { makeBootstrapToken } from './tokens/bootstrap-token.js';

/** Starts the whole registry: database, migrations, bootstrap token, HTTP. `close` undoes it in order. */
export async function startRegistry(config: Config, logger: Logger): Promise<HttpService> {
  const database = await openDatabase(config, logger);
  try {
    const applied = await migrate(database.dataSource);
    if (applied.length > 0) logger.info({ applied }, 'the database was brought up to date');
    await makeBootstrapToken(database.dataSource, config, logger);
    const service = await startHttp(config, logger, database);
    logger.info({ url: service.url }, 'listening');
    const close = async () => {
      try {
        await service.close();
      } finally {
        await database.close();
      }
    };
    return { ...service, close };
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function startHttp(config: Config, logger: Logger, { dataSource }: Database): Promise<HttpService> {
  const capabilities = capabilitiesOf(config);
  const metrics = createMetrics('registry');
  const zones = config.AUDIT_IP_LOOKUP;
  const module = AppModule.register({
    dataSource,
    settings: new RegistrySettings(capabilities, config.COOKIE_PREFIX, config.PUBLIC_URL),
    hasher: new SecretHasher(await loadPeppers(config)),
    accessTokens: openAccessTokens(config, logger),
    webhookPolicy: config.COOKIE_WEBHOOK_ALLOW,
    registration: config.REGISTRATION,
    metrics,
    metricsAccess: config.METRICS,
  });
  return startHttpService(module, {
    address: config.ADDRESS,
    port: config.PORT,
    logger,
    metrics,
    trustedProxies: config.TRUSTED_PROXIES,
    publicApiDocument: config.API_DOCUMENT === 'public',
    problems: [toProblem],
    configure: (fastify) => {
      readJsonBodies(fastify);
      answerAsOAuth(fastify);
    },
    ...(zones && { accessLogFields: ({ ip }) => ({ zone: zones.zoneOf(ip) }) }),
    api: {
      title: 'Client registry',
      description: 'Registers OAuth 2.0 Clients and keeps them for authorization servers.',
      version: '0.1.0',
      complete: (document) => describeClients(document, capabilities),
    },
  });
}
