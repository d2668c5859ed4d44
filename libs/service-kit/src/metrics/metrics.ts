import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

export { Counter, Gauge, Histogram } from 'prom-client';

/** A service's figures, as Prometheus reads them. Services add their own to `registry`. */
export interface Metrics {
  readonly registry: Registry;
  /** Seconds per answered request, by method, route pattern and status. */
  readonly requests: Histogram<'method' | 'route' | 'status'>;
  /** Requests refused by a rate limit: that of their `token` or of their `address`. */
  readonly rateLimited: Counter<'limit'>;
  readonly wrongTokens: Counter;
  /** From now on tells how many requests are under way, of how many there may be. */
  watchInFlight(count: () => number, limit: number): void;
}

/** Upper bounds in seconds: from a look-up by key to a load that takes a minute. */
const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];

/**
 * A new set of figures: the process's own (CPU, memory, event-loop lag, garbage collection) and its requests.
 *
 * @param service the label `service` of every figure
 * @param version of the service, as a label of `service_build_info`
 */
export function createMetrics(service: string, version: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  tellVersion(registry, version);
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request to the end of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: REQUEST_SECONDS,
    registers: [registry],
  });
  const rateLimited = new Counter({
    name: 'http_rate_limited_requests_total',
    help: 'Requests refused by the rate limit of their token or address.',
    labelNames: ['limit'],
    registers: [registry],
  });
  // A series that begins with its first event hides that event from rate() and increase().
  for (const limit of ['token', 'address']) rateLimited.inc({ limit }, 0);
  const wrongTokens = new Counter({
    name: 'http_wrong_tokens_total',
    help: 'Requests with a bearer token that is not valid.',
    registers: [registry],
  });
  return { registry, requests, rateLimited, wrongTokens, watchInFlight: inFlightOf(registry) };
}

/** The usual form of such a figure: always 1, what it tells stands in its labels. */
function tellVersion(registry: Registry, version: string): void {
  new Gauge({
    name: 'service_build_info',
    help: 'Always 1; the label says which version runs.',
    labelNames: ['version'],
    registers: [registry],
  }).set({ version }, 1);
}

function inFlightOf(registry: Registry): Metrics['watchInFlight'] {
  let inFlight = (): number => 0;
  new Gauge({
    name: 'http_requests_in_flight',
    help: 'Requests under way; health probes and streams apart.',
    registers: [registry],
    collect() {
      this.set(inFlight());
    },
  });
  const most = new Gauge({
    name: 'http_requests_in_flight_limit',
    help: 'How many requests may be under way before further ones get 503.',
    registers: [registry],
  });
  return (count, limit) => {
    inFlight = count;
    most.set(limit);
  };
}

/** Observes every answered request. The route's pattern is the label: paths would make one series per Client. */
export function measureRequests(fastify: FastifyInstance, { requests }: Metrics): void {
  fastify.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? '(no route)';
    requests.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
    done();
  });
}
