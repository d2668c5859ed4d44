import type { AddressInfo } from 'node:net';
import type { DynamicModule, Type } from '@nestjs/common';
import { NestFactory, Reflector } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { Authorizer, type CallerRule } from '../access/authorizer.js';
import { authorizeBeforeBody } from '../access/authorize-before-body.js';
import { BearerTokenGuard } from '../access/bearer-token.guard.js';
import { type CallerAuthorizer, TOKEN_VERIFIER, type TokenVerifier } from '../access/principal.js';
import { Readiness } from '../health/readiness.js';
import { readJsonBodies } from './read-json-bodies.js';
import { type AccessLogFields, logAccess } from '../logging/access-log.js';
import { NestLogger } from '../logging/nest-logger.js';
import { measureRequests, type Metrics } from '../metrics/metrics.js';
import { ProblemFilter, type ProblemMapper } from '../problem/problem.filter.js';
import { StrictValidationPipe } from '../problem/strict-validation.pipe.js';
import { DEFAULT_RATE_LIMITS, limitAddresses, type RateLimits, TokenLimit } from '../limits/limit-rates.js';
import { throttleInvalidTokens, InvalidTokens } from '../limits/throttle-invalid-tokens.js';
import { allowOrigins } from './allow-origins.js';
import { type Drain, drainOf } from './drain.js';
import { endStalledResponses } from './end-stalled-responses.js';
import { limitInFlight } from './limit-in-flight.js';
import { refuseUnknownRoutes } from './refuse-unknown-routes.js';
import { refuseUnreadablePaths, refuseUnreadableRequests } from './refuse-unreadable.js';
import { validateRequestHead } from './validate-request-head.js';
import { requestIdOf } from './request-id.js';
import { setSecurityHeaders } from './security-headers.js';
import { type ApiDescription, serveOpenApi } from '../openapi/serve-openapi.js';

export interface HttpServiceOptions {
  readonly address: string;
  /** 0 takes a free port. */
  readonly port: number;
  readonly logger: Logger;
  readonly api: ApiDescription;
  /** Serve /openapi.json and /docs without a token; off hides both. */
  readonly publicApiDocument?: boolean;
  /** How the service's own errors are answered; the first mapper that knows an error wins. */
  readonly problems?: readonly ProblemMapper[];
  readonly accessLogFields?: AccessLogFields;
  /** Where requests are counted; the module serves it through `MetricsModule`. */
  readonly metrics?: Metrics;
  /** Addresses or CIDR blocks of proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies?: readonly string[];
  /** Origins whose pages may read answers (CORS); none when absent. */
  readonly allowedOrigins?: readonly string[];
  /** Largest body that is read into memory, in bytes. */
  readonly bodyLimit?: number;
  /** How long a request may take to arrive with its body, in milliseconds; five minutes by default. */
  readonly requestTimeoutMs?: number;
  /** Requests under way at once before 503. */
  readonly maxInFlight?: number;
  /** How much one caller may ask; {@link DEFAULT_RATE_LIMITS} when absent. */
  readonly rateLimits?: RateLimits;
  /** Judges requests that need a token of the service's own, or a scope, before the token is looked at. */
  readonly checkCaller?: CallerRule;
  /** How long a caller may take nothing of its answer, in milliseconds; 20 s by default. */
  readonly stalledAnswerMs?: number;
  /** How long all is still answered once `close` was called, in milliseconds; 500 by default. */
  readonly drainMs?: number;
  /** Hooks that see every request before it is asked whether its path exists and who sent it. */
  readonly guard?: (fastify: FastifyInstance) => void;
  /** Last touch before it listens: content type parsers, hooks of its own. */
  readonly configure?: (fastify: FastifyInstance) => void | Promise<void>;
}

export interface HttpService {
  /** Where it listens, such as `http://127.0.0.1:8080`. */
  readonly url: string;
  readonly app: NestFastifyApplication;
  /** Turns readiness off, finishes the requests under way, then closes what the modules hold. */
  close(): Promise<void>;
}

const MEBIBYTE = 1024 * 1024;

/** A client_id of 255 characters is at most 765 once percent-encoded; find-my-way's own limit is 100. */
const MAX_PATH_PARAMETER = 1024;

/**
 * No route has a Fastify schema: class-validator judges requests. The compilers that Fastify would load for schemas are a
 * tenth of all modules of a service.
 */
const NO_SCHEMA_COMPILERS = {
  compilersFactory: { buildValidator: refuseSchemas, buildSerializer: refuseSchemas },
};

function refuseSchemas(): never {
  throw new Error('routes have no Fastify schemas here');
}

/** Slow or silent callers do not hold a connection for ever. In milliseconds. */
const TIMEOUTS = {
  /** Without a byte in either direction while a request is under way; streams send heartbeats. */
  connectionTimeout: 300_000,
  /** Between two requests; longer than the 60 s after which balancers commonly close connections themselves. */
  keepAliveTimeout: 65_000,
  /** For all of a request, with its body. */
  requestTimeout: 300_000,
  http: {
    /** For all of a request's header. */
    headersTimeout: 15_000,
    connectionsCheckingInterval: 5_000,
    /** Refused in our own words. */
    requireHostHeader: false,
  },
};

/** How long a caller may take nothing of an answer that is sent, in milliseconds: less than a shutdown may take. */
const STALLED_ANSWER_MS = 20_000;

/** Starts a service's HTTP side: the one set-up of Fastify, errors, access, logs and documents both services share. */
export async function startHttpService(
  module: Type<unknown> | DynamicModule,
  options: HttpServiceOptions,
): Promise<HttpService> {
  const app = await NestFactory.create<NestFastifyApplication>(module, fastifyAdapter(options), {
    logger: new NestLogger(options.logger),
    abortOnError: false,
    // The strict JSON parser serves; Nest's would also take forms, which no endpoint reads.
    bodyParser: false,
  });
  const fastify = app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
  fastify.removeContentTypeParser('text/plain');
  const drain = drainOf(fastify);
  const { maxInFlight = 100, rateLimits = DEFAULT_RATE_LIMITS } = options;
  const { perAddress, perToken } = rateLimits;
  setSecurityHeaders(fastify);
  logAccess(fastify, options.logger, options.accessLogFields);
  if (options.metrics) measureRequests(fastify, options.metrics);
  allowOrigins(fastify, options.allowedOrigins ?? []);
  limitAddresses(fastify, perAddress, options.metrics?.rateLimited);
  validateRequestHead(fastify);
  options.guard?.(fastify);
  refuseUnknownRoutes(fastify);
  const inFlight = limitInFlight(fastify, maxInFlight);
  options.metrics?.watchInFlight(inFlight, maxInFlight);
  throttleInvalidTokens(fastify, new InvalidTokens(options.logger, options.metrics?.wrongTokens));
  endStalledResponses(fastify, {
    stalledMs: options.stalledAnswerMs ?? STALLED_ANSWER_MS,
    silentMs: TIMEOUTS.connectionTimeout,
  });
  readJsonBodies(fastify);
  await options.configure?.(fastify);

  const tokenLimit = new TokenLimit(perToken, options.metrics?.rateLimited);
  const authorizerOf = (type: Type<CallerAuthorizer>): CallerAuthorizer => app.get(type, { strict: false });
  const tokens = app.get<TokenVerifier>(TOKEN_VERIFIER);
  const authorizer = new Authorizer(tokens, tokenLimit, authorizerOf, options.checkCaller);
  authorizeBeforeBody(fastify, authorizer);
  app.useGlobalGuards(new BearerTokenGuard(app.get(Reflector), authorizer));
  app.useGlobalFilters(new ProblemFilter(options.problems ?? [], options.logger));
  app.useGlobalPipes(new StrictValidationPipe());
  if (options.publicApiDocument ?? true) serveOpenApi(app, options.api);
  await app.listen(options.port, options.address);
  return { url: urlOf(app, options.address), app, close: () => close(app, drain, options.drainMs) };
}

function fastifyAdapter({
  logger,
  trustedProxies = [],
  bodyLimit = MEBIBYTE,
  requestTimeoutMs = TIMEOUTS.requestTimeout,
}: HttpServiceOptions): FastifyAdapter {
  return new FastifyAdapter({
    bodyLimit,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    routerOptions: { maxParamLength: MAX_PATH_PARAMETER },
    genReqId: requestIdOf,
    ...TIMEOUTS,
    schemaController: NO_SCHEMA_COMPILERS,
    requestTimeout: requestTimeoutMs,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // What is refused before a route is found (a malformed percent-encoding, a path that is too long), or a request.
    frameworkErrors: refuseUnreadablePaths(logger),
    clientErrorHandler: refuseUnreadableRequests(logger),
  });
}

async function close(app: NestFastifyApplication, drain: Drain, drainMs = 500): Promise<void> {
  app.get(Readiness, { strict: false }).drain();
  await drain.begin(drainMs);
  drain.sweep();
  try {
    await app.close();
  } finally {
    drain.end();
  }
}

function urlOf(app: NestFastifyApplication, address: string): string {
  const { port } = app.getHttpServer().address() as AddressInfo;
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
}
