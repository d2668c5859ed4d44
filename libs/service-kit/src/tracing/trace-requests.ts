import {
  type Attributes,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { onClose } from '../request/response-close.js';
import { isTracingConfigured } from './start-tracing.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** While traces are on; absent for health probes. */
    span?: Span;
  }
}

/** The semantic conventions' name for any other method. */
const OTHER_METHOD = '_OTHER';
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH']);

/**
 * Creates a span per request, below the caller's; it ends with the response. It has the route's pattern instead of the path,
 * because ids and queries may be sensitive.
 */
export function traceRequests(fastify: FastifyInstance): void {
  if (!isTracingConfigured()) return;
  const tracer = trace.getTracer('@svc/service-kit');
  fastify.addHook('onRequest', (request, reply, done) => {
    const route = request.routeOptions.url;
    if (route?.startsWith('/health/')) return done();
    const parent = propagation.extract(ROOT_CONTEXT, request.headers);
    const attributes = attributesOf(request, route);
    const span = tracer.startSpan(nameOf(attributes), { kind: SpanKind.SERVER, attributes }, parent);
    request.span = span;
    // Emitted even when the caller leaves, unlike Fastify's onResponse.
    onClose(reply, () => endSpan(span, reply.statusCode));
    context.with(trace.setSpan(ROOT_CONTEXT, span), done);
  });
  // Again: the context is lost while a body is read.
  fastify.addHook('preValidation', (request, _reply, done) => {
    if (!request.span) return done();
    context.with(trace.setSpan(ROOT_CONTEXT, request.span), done);
  });
}

function attributesOf({ method, protocol, raw }: FastifyRequest, route: string | undefined): Attributes {
  return {
    'http.request.method': METHODS.has(method) ? method : OTHER_METHOD,
    'url.scheme': protocol,
    'network.protocol.version': raw.httpVersion,
    ...(route !== undefined && { 'http.route': route }),
  };
}

function nameOf({ 'http.request.method': method, 'http.route': route }: Attributes): string {
  const verb = method === OTHER_METHOD ? 'HTTP' : String(method);
  return route === undefined ? verb : `${verb} ${String(route)}`;
}

function endSpan(span: Span, status: number): void {
  span.setAttribute('http.response.status_code', status);
  if (status >= 500) {
    span.setAttribute('error.type', String(status));
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end();
}
