import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { DynamicModule, Type } from '@nestjs/common';
import { NestFactory, Reflector } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { Authorizer, type CallerRule, authorizeBeforeBody, BearerTokenGuard } from '../access/authorizer.js';
import { TOKEN_VERIFIER, type TokenVerifier } from '../access/principal.js';
import { Readiness } from '../health/readiness.js';
import { normalizeForwardedFor } from './normalize-forwarded-for.js';
import { readJsonBodies } from './read-json-bodies.js';
import { type AccessLogFields, logAccess } from '../logging/access-log.js';
import { NestLogger } from '../logging/create-logger.js';
import { measureRequests, type Metrics } from '../metrics/metrics.js';
import { ProblemFilter, type ProblemMapper } from '../problem/problem.filter.js';
import { StrictValidationPipe } from '../problem/strict-validation.pipe.js';
import { DEFAULT_RATE_LIMITS, limitAddresses, type RateLimits, TokenLimit } from '../limits/limit-rates.js';
import { refuseWithoutPlace } from '../limits/route-places.js';
import { throttleInvalidTokens, InvalidTokens } from '../limits/throttle-invalid-tokens.js';
import { allowOrigins, type PathOrigins, setSecurityHeaders } from './response-headers.js';
import { BODY_TIMEOUT_MS } from './body-timeouts.js';
import { endStalledResponses } from './end-stalled-responses.js';
import { limitInFlight } from './limit-in-flight.js';
import { refuseUnknownRoutes } from './refuse-unknown-routes.js';
import { refuseUnreadablePaths, refuseUnreadableRequests } from './refuse-unreadable.js';
import { closeQueuedResponses } from '../request/response-close.js';
import { validateRequestHead } from './validate-request-head.js';
import { requestIdOf } from '../request/request-head.js';
import { traceRequests } from '../tracing/trace-requests.js';
import { type ApiDescription, serveOpenApi } from '../openapi/serve-openapi.js';

export interface HttpServiceOptions {
  readonly address: string;
  /** 0 picks a free port. */
  readonly port: number;
  readonly logger: Logger;
  readonly api: ApiDescription;
  /** Serve /openapi.json and /docs, without a token; if false, neither exists. True by default. */
  readonly publicApiDocument?: boolean;
  /** Map the service's own errors to answers; the first mapper that knows an error wins. */
  readonly problems?: readonly ProblemMapper[];
  readonly accessLogFields?: AccessLogFields;
  /** Counts requests; `MetricsModule` serves it. */
  readonly metrics?: Metrics;
  /** Addresses or CIDR blocks of proxies whose X-Forwarded-For is trusted. */
  readonly trustedProxies?: readonly string[];
  /** Origins whose pages may read responses (CORS); none by default. */
  readonly allowedOrigins?: readonly string[];
  /** Further origins, for the routes below one path. */
  readonly pathOrigins?: PathOrigins;
  /** Largest body that is read into memory, in bytes. */
  readonly bodyLimit?: number;
  /** How long a request's headers may take to arrive, in milliseconds; 15 s by default. */
  readonly headerTimeoutMs?: number;
  /** How long a body may take to arrive, in milliseconds; 15 s by default. Its size adds to it. */
  readonly bodyTimeoutMs?: number;
  /** How long a request may take to arrive with its body, in milliseconds; five minutes by default. */
  readonly requestTimeoutMs?: number;
  /** Requests in flight before further ones get 503. */
  readonly maxInFlight?: number;
  /** {@link DEFAULT_RATE_LIMITS} by default. */
  readonly rateLimits?: RateLimits;
  /** Checks requests to restricted routes before their token is verified. */
  readonly checkCaller?: CallerRule;
  /** How long a caller may stop reading its response, in milliseconds; 20 s by default. */
  readonly stalledAnswerMs?: number;
  /** How long requests are still accepted after `close` was called, in milliseconds; 500 by default. */
  readonly drainMs?: number;
  /** How long after `close` was called requests in progress are aborted, in milliseconds; 25 s by default. */
  readonly abortMs?: number;
  /** Adds hooks that run before routing and authorization. */
  readonly guard?: (fastify: FastifyInstance) => void;
  /** Called before the service listens, to add content type parsers and hooks. */
  readonly configure?: (fastify: FastifyInstance) => void | Promise<void>;
}

export interface HttpService {
  /** Where it listens, such as `http://127.0.0.1:8080`. */
  readonly url: string;
  readonly app: NestFastifyApplication;
  /** Turns readiness off, finishes the requests in flight or, if they take too long, aborts them, then closes the modules. */
  close(): Promise<void>;
}

const MEBIBYTE = 1024 * 1024;

/** A client_id of 255 characters is at most 765 once percent-encoded; find-my-way's own limit is 100. */
const MAX_PATH_PARAMETER = 1024;

/**
 * No route has a Fastify schema, because class-validator validates requests. The schema compilers that Fastify would load are
 * a tenth of a service's modules.
 */
const NO_SCHEMA_COMPILERS = {
  compilersFactory: { buildValidator: refuseSchemas, buildSerializer: refuseSchemas },
};

function refuseSchemas(): never {
  throw new Error('routes have no Fastify schemas here');
}

/** In milliseconds. */
const TIMEOUTS = {
  /** Without a byte in either direction during a request; streams send heartbeats. */
  connectionTimeout: 300_000,
  /** Between two requests; longer than the 60 s after which load balancers commonly close connections themselves. */
  keepAliveTimeout: 65_000,
  /** For a request with its body. */
  requestTimeout: 300_000,
};

const HEADER_TIMEOUT_MS = 15_000;

/** Less than a shutdown may take. */
const STALLED_ANSWER_MS = 20_000;

/** Early enough for what was aborted to clean up, before the process is ended. */
const ABORT_MS = 25_000;

/** Starts a service over HTTP, with the set-up of Fastify, errors, access, logs and OpenAPI that all services share. */
export async function startHttpService(
  module: Type<unknown> | DynamicModule,
  options: HttpServiceOptions,
): Promise<HttpService> {
  const app = await NestFactory.create<NestFastifyApplication>(module, fastifyAdapter(options), {
    logger: new NestLogger(options.logger),
    abortOnError: false,
    // The strict JSON parser replaces Nest's, which would also accept forms, which no endpoint reads.
    bodyParser: false,
  });
  const fastify = app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
  fastify.removeContentTypeParser('text/plain');
  closeQueuedResponses(fastify.server as Server);
  const drain = drainOf(fastify);
  const { maxInFlight = 100, rateLimits: { perAddress, perToken } = DEFAULT_RATE_LIMITS } = options;
  traceRequests(fastify);
  setSecurityHeaders(fastify);
  logAccess(fastify, options.logger, options.accessLogFields);
  if (options.metrics) measureRequests(fastify, options.metrics);
  allowOrigins(fastify, options.allowedOrigins ?? [], options.pathOrigins);
  limitAddresses(fastify, perAddress, options.metrics?.rateLimited);
  validateRequestHead(fastify);
  options.guard?.(fastify);
  refuseUnknownRoutes(fastify);
  const inFlight = limitInFlight(
    fastify,
    maxInFlight,
    options.bodyTimeoutMs ?? BODY_TIMEOUT_MS,
    options.metrics?.beyondShare,
  );
  options.metrics?.watchInFlight(inFlight, maxInFlight);
  throttleInvalidTokens(fastify, new InvalidTokens(options.logger, options.metrics?.wrongTokens));
  endStalledResponses(fastify, {
    stalledMs: options.stalledAnswerMs ?? STALLED_ANSWER_MS,
    silentMs: TIMEOUTS.connectionTimeout,
  });
  readJsonBodies(fastify);
  await options.configure?.(fastify);

  const tokenLimit = new TokenLimit(perToken, options.metrics?.rateLimited);
  const providerOf = <T>(type: Type<T>): T => app.get(type, { strict: false });
  const tokens = app.get<TokenVerifier>(TOKEN_VERIFIER);
  const authorizer = new Authorizer(tokens, tokenLimit, providerOf, options.checkCaller);
  authorizeBeforeBody(fastify, authorizer);
  refuseWithoutPlace(fastify, providerOf);
  app.useGlobalGuards(new BearerTokenGuard(app.get(Reflector), authorizer));
  app.useGlobalFilters(new ProblemFilter(options.problems ?? [], options.logger));
  app.useGlobalPipes(new StrictValidationPipe());
  if (options.publicApiDocument ?? true) serveOpenApi(app, options.api);
  await listen(app, options);
  return { url: urlOf(app, options.address), app, close: () => close(app, drain, options) };
}

/** @throws {Error} why it cannot; the modules, which have been initialized, do not keep the process alive */
async function listen(app: NestFastifyApplication, { port, address }: HttpServiceOptions): Promise<void> {
  try {
    await app.listen(port, address);
  } catch (error) {
    await app.close().catch(() => undefined);
    throw error;
  }
}

function fastifyAdapter({
  logger,
  trustedProxies = [],
  bodyLimit = MEBIBYTE,
  headerTimeoutMs = HEADER_TIMEOUT_MS,
  requestTimeoutMs = TIMEOUTS.requestTimeout,
}: HttpServiceOptions): FastifyAdapter {
  return new FastifyAdapter({
    bodyLimit,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    routerOptions: { maxParamLength: MAX_PATH_PARAMETER },
    // Called for every request before anything asks for its address.
    genReqId: (request: IncomingMessage) => {
      if (trustedProxies.length > 0) normalizeForwardedFor(request);
      return requestIdOf(request);
    },
    ...TIMEOUTS,
    http: {
      headersTimeout: headerTimeoutMs,
      // How often Node compares connections with the time limits.
      connectionsCheckingInterval: Math.ceil(headerTimeoutMs / 3),
      // A hook rejects such requests with a problem document.
      requireHostHeader: false,
    },
    schemaController: NO_SCHEMA_COMPILERS,
    requestTimeout: requestTimeoutMs,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // Malformed paths, which no route can match, and what is not an HTTP request at all.
    frameworkErrors: refuseUnreadablePaths(logger),
    clientErrorHandler: refuseUnreadableRequests(logger),
  });
}

async function close(
  app: NestFastifyApplication,
  drain: Drain,
  { drainMs = 500, abortMs = ABORT_MS, logger }: HttpServiceOptions,
): Promise<void> {
  app.get(Readiness, { strict: false }).drain();
  const server = app.getHttpServer() as Server;
  const abort = setTimeout(() => {
    logger.warn('shutdown is taking too long: aborting the requests still in progress');
    server.closeAllConnections();
  }, abortMs);
  server.once('close', () => clearTimeout(abort));
  try {
    await drain.begin(drainMs);
    drain.sweep();
    await app.close();
  } finally {
    clearTimeout(abort);
    drain.end();
  }
}

function urlOf(app: NestFastifyApplication, address: string): string {
  const { port } = app.getHttpServer().address() as AddressInfo;
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
}

/** How often idle connections are closed once no new ones are accepted. */
const SWEEP_MS = 50;

/** Shuts a server down without dropping a request. */
interface Drain {
  /** For `drainMs` requests are still accepted, but every response asks its caller to use another connection. */
  begin(drainMs: number): Promise<void>;
  /** From now on connections are closed as they become idle, because an open one would keep the process running. */
  sweep(): void;
  end(): void;
}

/**
 * Closing connections the moment a shutdown begins could drop requests that callers have just sent. So callers are first asked
 * to leave, response by response, while load balancers see that the service is not ready.
 */
function drainOf(fastify: FastifyInstance): Drain {
  const { server } = fastify;
  const unused = new Set<Socket>();
  let isDraining = false;
  let timer: NodeJS.Timeout | undefined;
  server.on('connection', (socket: Socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  server.on('request', ({ socket }) => unused.delete(socket));
  fastify.addHook('onSend', (_request, reply, _payload, done) => {
    if (isDraining) void reply.header('connection', 'close');
    done();
  });
  const closeUnused = () => {
    server.closeIdleConnections();
    // Clients open connections in advance; Node does not count them as idle before their first byte.
    for (const socket of unused) if (socket.bytesRead === 0) socket.destroy();
  };
  return {
    begin: async (drainMs) => {
      isDraining = true;
      await sleep(drainMs);
      await inputRead();
    },
    sweep: () => {
      timer = setInterval(() => void inputRead().then(closeUnused), SWEEP_MS);
    },
    end: () => clearInterval(timer),
  };
}

/**
 * Resolves once the connections that have arrived are accepted, and what they have sent is read. The event loop does both
 * after timers, so after a long computation a timer would close connections whose requests have been waiting.
 */
async function inputRead(): Promise<void> {
  // One turn to accept, one to read, one for what had to wait.
  for (let turn = 0; turn < 3; turn++) await nextTurn();
}
