import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { context, diag, DiagLogLevel, propagation, trace, type Tracer } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  type ExportResult,
  ExportResultCode,
  setGlobalErrorHandler,
  W3CTraceContextPropagator,
} from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  type ReadableSpan,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-base';
import type { Logger } from 'pino';

/** For the last export. */
const CLOSE_MS = 3_000;

const PROTOCOL = 'http/json';

/** The protocol that the environment asks for. The exporter ignores it, so another one must be reported. */
function wantedProtocol(): string {
  const wanted =
    process.env['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'] || process.env['OTEL_EXPORTER_OTLP_PROTOCOL'];
  return wanted?.trim() || PROTOCOL;
}

/** Loaded only when traces are on, because it loads OpenTelemetry's SDK, which reads its variables itself. */
export function openTracer(
  service: string,
  version: string,
  logger: Logger,
): { readonly tracer: Tracer; close(): Promise<void> } {
  const warn = (reason: string): void => logger.warn({ reason }, 'ignoring a tracing setting');
  const ignore = (): void => undefined;
  diag.setLogger(
    { error: warn, warn, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  const protocol = wantedProtocol();
  if (protocol !== PROTOCOL) warn(`OTLP over ${protocol} is not supported, only ${PROTOCOL}`);
  const exporter = new ReportingExporter(new OTLPTraceExporter(), logger);
  const provider = new BasicTracerProvider({
    resource: resourceOf(service, version),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  // From here on the SDK reports failed exports, which the exporter does once.
  diag.disable();
  setGlobalErrorHandler((error) => exporter.failed(error));
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  const close = async (): Promise<void> => {
    const closing = provider.shutdown().catch((error: unknown) => exporter.failed(error));
    await Promise.race([closing, sleep(CLOSE_MS, undefined, { ref: false })]);
  };
  return { tracer: provider.getTracer(service, version), close };
}

/** The variables take precedence. */
function resourceOf(service: string, version: string): Resource {
  const own = { 'service.name': service, 'service.version': version, 'service.instance.id': randomUUID() };
  return defaultResource()
    .merge(resourceFromAttributes(own))
    .merge(detectResources({ detectors: [envDetector] }));
}

/** Logs once when a collector can no longer be reached, and once when it can again. */
class ReportingExporter implements SpanExporter {
  private lostSpans: number | undefined;

  constructor(
    private readonly exporter: SpanExporter,
    private readonly logger: Logger,
  ) {}

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    this.exporter.export(spans, (result) => {
      if (result.code === ExportResultCode.SUCCESS) this.succeeded();
      else this.failed(result.error, spans.length);
      done(result.code === ExportResultCode.SUCCESS ? result : { code: ExportResultCode.SUCCESS });
    });
  }

  async forceFlush(): Promise<void> {
    await this.exporter.forceFlush?.();
  }

  async shutdown(): Promise<void> {
    await this.exporter.shutdown();
  }

  failed(error: unknown, spans = 0): void {
    if (this.lostSpans === undefined) {
      const { message, code } = (error ?? {}) as { readonly message?: string; readonly code?: unknown };
      this.logger.warn({ reason: message || String(code ?? 'unknown') }, 'cannot export traces');
    }
    this.lostSpans = (this.lostSpans ?? 0) + spans;
  }

  private succeeded(): void {
    if (this.lostSpans === undefined) return;
    this.logger.info({ lost_spans: this.lostSpans }, 'exporting traces again');
    this.lostSpans = undefined;
  }
}
