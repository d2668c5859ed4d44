import {
  type Attributes,
  context,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Tracer,
} from '@opentelemetry/api';
import { readTraceContext, type TraceContext } from '../request/trace-context.js';

/** Undefined while traces are off. */
let tracer: Tracer | undefined;

/** Spans are recorded from now on; without a tracer they no longer are. */
export function recordSpans(by: Tracer | undefined): void {
  tracer = by;
}

export interface SpanOptions {
  /** `client` when another system does the work. */
  readonly kind?: 'internal' | 'client';
  /** Never values, paths or addresses that callers sent: collectors are not trusted with secrets. */
  readonly attributes?: Attributes;
}

/** Runs work in a span below the active one. Without traces it just runs it. */
export async function inSpan<T>(
  name: string,
  { kind, attributes = {} }: SpanOptions,
  work: () => Promise<T>,
): Promise<T> {
  if (tracer === undefined) return work();
  const options = { kind: kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL, attributes };
  return tracer.startActiveSpan(name, options, async (span) => {
    try {
      return await work();
    } catch (error) {
      failSpan(span, error);
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Like {@link inSpan}, but only below a recorded span: frequent background work would be noise. */
export async function inChildSpan<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> {
  const isInside = tracer !== undefined && trace.getActiveSpan()?.isRecording();
  return isInside ? inSpan(name, options, work) : work();
}

/** A span of work done elsewhere, such as in another thread. Times are in milliseconds since the epoch. */
export function addChildSpan(
  name: string,
  { attributes = {} }: SpanOptions,
  { startMs, endMs, error }: { readonly startMs: number; readonly endMs: number; readonly error?: unknown },
): void {
  if (tracer === undefined || !trace.getActiveSpan()?.isRecording()) return;
  const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes, startTime: startMs });
  if (error !== undefined) failSpan(span, error);
  span.end(endMs);
}

/** Messages of errors may contain values, so only the kind of error is recorded. */
function failSpan(span: Span, error: unknown): void {
  const { name, code } = error as { readonly name?: unknown; readonly code?: unknown };
  span.setAttribute('error.type', String(code ?? name ?? 'Error'));
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** The active span, as fields of a log line. */
export function activeSpanFields(): SpanFields | undefined {
  const span = trace.getActiveSpan();
  return span && fieldsOf(span);
}

export interface SpanFields {
  readonly trace_id: string;
  readonly span_id: string;
}

export function fieldsOf(span: Span): SpanFields {
  const { traceId, spanId } = span.spanContext();
  return { trace_id: traceId, span_id: spanId };
}

/** Links a histogram to one of its traces: a span's ids, if the span was sent to a collector. */
export function exemplarLabels(span = trace.getActiveSpan()): Readonly<Record<string, string>> {
  const isSampled = span && (span.spanContext().traceFlags & TraceFlags.SAMPLED) !== 0;
  return isSampled ? { ...fieldsOf(span) } : {};
}

/** The trace context for requests to other services: the active span's or, without traces, the caller's. */
export function outgoingTraceContext(fields: Readonly<Record<string, unknown>>): TraceContext | undefined {
  const given = readTraceContext(fields);
  const span = tracer && trace.getSpanContext(context.active());
  if (!span) return given;
  const flags = (span.traceFlags & TraceFlags.SAMPLED).toString(16).padStart(2, '0');
  const tracestate = span.traceState?.serialize();
  return {
    traceparent: `00-${span.traceId}-${span.spanId}-${flags}`,
    ...(tracestate && { tracestate }),
  };
}
