import { isLoopbackSocket } from '@svc/foundation';
import {
  bearerTokenOf,
  createLogger,
  createMetrics,
  type HttpService,
  startHttpService,
  startTracing,
  type TokenVerifier,
} from '@svc/service-kit';
import { AuditLog } from '../audit/audit-log.js';
import { type EndedToken, RefusalLog } from '../audit/refusal-log.js';
import { StoredTokens } from '../tokens/stored-tokens.js';
import { AppModule } from './app.module.js';
import { CommanderError } from '../errors/commander-error.js';
import { packageVersion } from '@svc/foundation/files';
import type { CommanderConfig, LibrarySettings } from '../config/commander-config.js';
import { loadAccessToken, refuseCrossSite } from './access.js';
import { type BoundToken, CommanderTokenVerifier, OpenAccess } from './token-verifier.js';
import { describeCommander } from './describe-commander.js';
import type { Logger } from '../http/providers.module.js';
import { acceptRawBodies } from '../http/raw-body.js';
import { toProblem } from '../http/to-problem.js';
import { UPLOAD_LIMITS } from '../iplookup/files/store-upload.js';

/** Starts the HTTP server. */
export async function startCommander(
  config: CommanderConfig,
  logger: Logger = createLogger('commander-api', config.http.log_level ?? 'info'),
): Promise<HttpService> {
  const { address, port, auth, trusted_proxies = [], allowed_hosts = [] } = config.http;
  config.libraries.forEach(assertHookSecret);
  const audit = new AuditLog(logger);
  const refusals = new RefusalLog(audit);
  const { verifier, stored } = await verifierFor(config, logger, audit);
  const version = packageVersion(import.meta.url);
  const tracing = await startTracing('commander-api', version, logger);
  const metrics = createMetrics('commander-api', version);
  const service = await startHttpService(
    AppModule.register({ config, verifier, logger, metrics, audit, refusals }),
    {
      address,
      port,
      logger,
      metrics,
      publicApiDocument: config.http.api_document !== 'off',
      trustedProxies: trusted_proxies,
      // Uploads have a shorter limit, which is reported before this one closes the connection.
      requestTimeoutMs: UPLOAD_LIMITS.totalMs + 60_000,
      api: describeCommander(version),
      problems: [toProblem],
      ...(auth === 'none' && { guard: (fastify) => refuseCrossSite(fastify, allowed_hosts) }),
      configure: (fastify) => {
        acceptRawBodies(fastify);
        stored?.follow(fastify);
        refusals.follow(fastify, (request) => explain(stored, bearerTokenOf(request)));
      },
    },
  );
  logger.info({ url: service.url }, 'listening');
  return { ...service, close: async () => service.close().finally(async () => tracing.close()) };
}

/**
 * Opening a server to the network takes two settings, so that no single mistake does it.
 *
 * @throws {CommanderError} with `EXIT.configuration`
 */
function assertMayBeOpen({ address, allow_open }: CommanderConfig['http']): void {
  if (isLoopbackSocket(address) || allow_open) return;
  throw new CommanderError(
    'configuration',
    `http.auth is none and http.address ${address} is not loopback: anyone who can reach it would have full access; ` +
      'set http.auth to token, http.address to 127.0.0.1, or http.allow_open to yes',
  );
}

/** As long as a token, since a secret can be guessed offline from one signed hook. */
const MIN_SECRET_LENGTH = 32;

/** @throws {CommanderError} with `EXIT.configuration` */
function assertHookSecret({ name, source: { webhook_secret } }: LibrarySettings): void {
  if (webhook_secret === undefined || webhook_secret.length >= MIN_SECRET_LENGTH) return;
  const section = name === undefined ? '' : `library:${name}.`;
  throw new CommanderError(
    'configuration',
    `${section}source.webhook_secret has fewer than ${MIN_SECRET_LENGTH} characters; create one with openssl rand -hex 32, and set it here and in the hook of the git server`,
  );
}

function explain(stored: StoredTokens | undefined, token: string | undefined): EndedToken {
  return token === undefined || !stored ? { reason: 'unknown' } : stored.explain(token);
}

interface Verification {
  readonly verifier: TokenVerifier;
  /** Absent without authentication. */
  readonly stored?: StoredTokens;
}

/**
 * Logs where the tokens are, never the tokens.
 *
 * @throws {CommanderError} with `EXIT.configuration`
 */
async function verifierFor(
  { http, tokens }: CommanderConfig,
  logger: Logger,
  audit: AuditLog,
): Promise<Verification> {
  if (http.auth === 'none') {
    assertMayBeOpen(http);
    if (tokens.length > 0)
      throw new CommanderError(
        'configuration',
        'http.auth is none, so the sections [token:<name>] would have no effect; set http.auth to token, or remove them',
      );
    logger.warn('http.auth is none: anyone who can reach this address has full access');
    return { verifier: new OpenAccess() };
  }
  const full = await loadToken(http, 'http', logger);
  const bound: BoundToken[] = [];
  for (const { name, token, token_file = '', libraries, scopes } of tokens) {
    const places = { token_file, ...(token !== undefined && { token }) };
    bound.push({ name, libraries, scopes, value: await loadToken(places, `token:${name}`, logger) });
  }
  const { api_tokens: file } = http;
  if (file === undefined) return { verifier: new CommanderTokenVerifier(full, bound) };
  const stored = await StoredTokens.open(file, audit, logger);
  return { verifier: new CommanderTokenVerifier(full, bound, stored), stored };
}

async function loadToken(
  places: Pick<CommanderConfig['http'], 'token' | 'token_file'>,
  section: 'http' | `token:${string}`,
  logger: Logger,
): Promise<string> {
  const { value, file, made, exposed } = await loadAccessToken(places, section);
  if (exposed) logger.warn({ file }, 'every user of this machine can read the token file');
  if (file !== undefined)
    logger.info({ file }, made ? 'created the bearer token' : 'the bearer token is in this file');
  return value;
}
