import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';

export { Counter } from 'prom-client';

/** A service's figures, as Prometheus reads them. Services add their own to `registry`. */
export interface Metrics {
  readonly registry: Registry;
  /** Seconds per answered request, by method, route pattern and status. */
  readonly requests: Histogram<'method' | 'route' | 'status'>;
  /** Requests refused by a rate limit: that of their `token` or of their `address`. */
  readonly rateLimited: Counter<'limit'>;
  readonly wrongTokens: Counter;
}

/** Upper bounds in seconds: from a look-up by key to a load that takes a minute. */
const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];

/**
 * A new set of figures: the process's own (CPU, memory, event-loop lag, garbage collection) and its requests.
 *
 * @param service the label `service` of every figure
 */
export function createMetrics(service: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
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
  const wrongTokens = new Counter({
    name: 'http_wrong_tokens_total',
    help: 'Requests with a bearer token that is not valid.',
    registers: [registry],
  });
  return { registry, requests, rateLimited, wrongTokens };
}

/** Observes every answered request. The route's pattern is the label: paths would make one series per Client. */
export function measureRequests(fastify: FastifyInstance, { requests }: Metrics): void {
  fastify.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? '(no route)';
    requests.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
    done();
  });
}
