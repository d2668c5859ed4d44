import { preferredFormat } from '@svc/foundation';
import type { FastifyInstance } from 'fastify';
import {
  collectDefaultMetrics,
  Counter,
  Gauge,
  Histogram,
  type OpenMetricsContentType,
  Registry,
  type RegistryContentType,
} from 'prom-client';
import { exemplarLabels } from '../tracing/spans.js';

export { Counter, Gauge, Histogram } from 'prom-client';

/** The Prometheus metrics that every service has. Services add their own to `registry`. */
export interface Metrics {
  readonly registry: MetricsRegistry;
  /** Seconds per request, by method, route pattern and status. */
  readonly requests: Histogram<'method' | 'route' | 'status'>;
  /** Requests refused by the rate limit of their `token` or `address`. */
  readonly rateLimited: Counter<'limit'>;
  /** Requests refused because those in flight use up the share of their `token` or `address`. */
  readonly beyondShare: Counter<'limit'>;
  readonly wrongTokens: Counter;
  /** Reports the number of requests in flight, and its limit, from now on. */
  watchInFlight(count: () => number, limit: number): void;
  /** All metrics as text. @param accept an Accept header */
  expose(accept: string | undefined): Promise<Exposition>;
}

/** Upper bounds in seconds: from a lookup by key to a load that takes a minute. */
const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];

/**
 * Creates the metrics of a process (CPU, memory, event-loop lag, garbage collection) and of its requests.
 *
 * @param service the label `service` of every metric
 * @param version the label of `service_build_info`
 */
export function createMetrics(service: string, version: string): Metrics {
  const registry = createRegistry();
  collectProcessMetrics(registry);
  addBuildInfo(registry, version);
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request to the end of its response.',
    labelNames: ['method', 'route', 'status'],
    buckets: REQUEST_SECONDS,
    enableExemplars: true,
    registers: [registry],
  });
  const rateLimited = new Counter({
    name: 'http_rate_limited_requests_total',
    help: 'Requests rejected by the rate limit of their token or address.',
    labelNames: ['limit'],
    registers: [registry],
  });
  const beyondShare = new Counter({
    name: 'http_requests_beyond_share_total',
    help: 'Requests rejected because those in progress use up the share of their token or address.',
    labelNames: ['limit'],
    registers: [registry],
  });
  // rate() and increase() miss the first event of a series that does not start at 0.
  for (const counter of [rateLimited, beyondShare])
    for (const limit of ['token', 'address']) counter.inc({ limit }, 0);
  const wrongTokens = new Counter({
    name: 'http_wrong_tokens_total',
    help: 'Requests with an invalid bearer token.',
    registers: [registry],
  });
  return {
    registry,
    requests,
    rateLimited,
    beyondShare,
    wrongTokens,
    watchInFlight: inFlightOf(registry),
    expose: async (accept) => exposeMetrics(registry, { service }, accept),
  };
}

/** Gauges must not end in `_total`. These are also just the sums of others, such as `nodejs_active_handles`. */
const MISNAMED_GAUGES = ['handles', 'requests', 'resources'].map((what) => `nodejs_active_${what}_total`);

function collectProcessMetrics(registry: MetricsRegistry): void {
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED_GAUGES) registry.removeSingleMetric(name);
}

function addBuildInfo(registry: MetricsRegistry, version: string): void {
  new Gauge({
    name: 'service_build_info',
    help: 'Always 1; the label is the running version.',
    labelNames: ['version'],
    registers: [registry],
  }).set({ version }, 1);
}

function inFlightOf(registry: MetricsRegistry): Metrics['watchInFlight'] {
  let inFlight = (): number => 0;
  new Gauge({
    name: 'http_requests_in_flight',
    help: 'Requests in progress, except health probes and streams.',
    registers: [registry],
    collect() {
      this.set(inFlight());
    },
  });
  const limitGauge = new Gauge({
    name: 'http_requests_in_flight_limit',
    help: 'Limit of concurrent requests, beyond which the response is 503.',
    registers: [registry],
  });
  return (count, limit) => {
    inFlight = count;
    limitGauge.set(limit);
  };
}

/** Measures every request. The label is the route's pattern, because paths would create one series per client. */
export function measureRequests(fastify: FastifyInstance, { requests }: Metrics): void {
  fastify.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? '(no route)';
    requests.observe({
      labels: { method: request.method, route, status: reply.statusCode },
      value: reply.elapsedTime / 1000,
      exemplarLabels: exemplarLabels(request.span),
    });
    done();
  });
}

/** Metrics as text, in the format that the caller prefers. */
interface Exposition {
  readonly contentType: string;
  readonly text: string;
}

/** Media types; callers without a preference get Prometheus' own, which every tool reads. */
const FORMATS = { prometheus: ['text/plain'], openMetrics: ['application/openmetrics-text'] } as const;

/** Where metrics are registered. */
type MetricsRegistry = Registry<OpenMetricsContentType>;

/** prom-client accepts metrics with exemplars only here. What callers get is written by {@link exposeMetrics}. */
function createRegistry(): MetricsRegistry {
  const registry: MetricsRegistry = new Registry();
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  return registry;
}

/** Exemplars, which name the trace of a request, exist in OpenMetrics only. */
async function exposeMetrics(
  registry: MetricsRegistry,
  defaultLabels: Readonly<Record<string, string>>,
  accept: string | undefined,
): Promise<Exposition> {
  const isOpen = preferredFormat(accept, FORMATS) === 'openMetrics';
  const view = new Registry<RegistryContentType>();
  view.setContentType(isOpen ? Registry.OPENMETRICS_CONTENT_TYPE : Registry.PROMETHEUS_CONTENT_TYPE);
  view.setDefaultLabels(defaultLabels);
  for (const { name } of registry.getMetricsAsArray()) {
    const metric = registry.getSingleMetric(name);
    // A copy that inherits, because prom-client renames counters while it writes OpenMetrics.
    if (metric) view.registerMetric(Object.create(metric) as typeof metric);
  }
  return { contentType: view.contentType, text: await view.metrics() };
}
