import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { traceIdOf } from '../request/trace-context.js';
import { fieldsOf, type SpanFields } from '../tracing/spans.js';

/** What a service adds to each line of its access log, such as the zone of the caller's address. */
export type AccessLogFields = (request: FastifyRequest) => Readonly<Record<string, unknown>>;

/**
 * Logs one line per request, with the route's pattern instead of the path, because ids and queries may be sensitive. Health
 * probes are logged at `debug`.
 */
export function logAccess(fastify: FastifyInstance, logger: Logger, fieldsOf?: AccessLogFields): void {
  // None of the fields below is secret, and redaction would cost ten times as much as the rest of the line.
  const lines = logger.child({}, { redact: [] });
  fastify.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? '(no route)';
    const level = route.startsWith('/health/') ? 'debug' : 'info';
    if (lines.isLevelEnabled(level)) {
      lines[level](
        {
          request_id: request.id,
          ...traceOf(request),
          method: request.method,
          route,
          status: reply.statusCode,
          duration_ms: Math.round(reply.elapsedTime * 1000) / 1000,
          address: request.ip,
          ...(request.principal && { principal: request.principal.name }),
          ...fieldsOf?.(request),
        },
        'request',
      );
    }
    done();
  });
}

/** The request's span; without traces the caller's trace, to correlate the logs of several services. */
function traceOf({ headers: { traceparent }, span }: FastifyRequest): Partial<SpanFields> {
  if (span) return fieldsOf(span);
  const traceId = typeof traceparent === 'string' ? traceIdOf(traceparent) : undefined;
  return traceId === undefined ? {} : { trace_id: traceId };
}
