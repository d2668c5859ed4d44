import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { traceIdOf } from '../request/trace-context.js';

/** What a service adds to each line of its access log, such as the zone of the caller's address. */
export type AccessLogFields = (request: FastifyRequest) => Readonly<Record<string, unknown>>;

/**
 * One line per answered request. The route's pattern stands in for the path, so that neither ids nor queries
 * (which may hold what does not belong into a log) are written; health probes are left to `debug`.
 */
export function logAccess(fastify: FastifyInstance, logger: Logger, fieldsOf?: AccessLogFields): void {
  // Its members are chosen here, and none is secret: looking for secrets would cost ten times as much as the line.
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

/** The trace that the caller says the request belongs to, so that the lines of several services can be put together. */
function traceOf({ headers: { traceparent } }: FastifyRequest): { trace_id?: string } {
  const traceId = typeof traceparent === 'string' ? traceIdOf(traceparent) : undefined;
  return traceId === undefined ? {} : { trace_id: traceId };
}
