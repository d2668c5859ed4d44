import type { Environment } from '@svc/foundation/config';
import type { Logger } from 'pino';
import { recordSpans } from './spans.js';

/** Must be stopped before the process exits. */
export interface Tracing {
  /** Exports what is left; takes at most a few seconds. Never rejects. */
  close(): Promise<void>;
}

/** Whether OpenTelemetry's variables turn traces on. */
export function isTracingConfigured(environment: Environment = process.env): boolean {
  const read = (name: string): string => environment[name]?.trim() ?? '';
  const hasEndpoint =
    read('OTEL_EXPORTER_OTLP_ENDPOINT') !== '' || read('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT') !== '';
  const isDisabled = read('OTEL_SDK_DISABLED').toLowerCase() === 'true';
  return hasEndpoint && !isDisabled && read('OTEL_TRACES_EXPORTER').toLowerCase() !== 'none';
}

/** Turns traces on if they are configured. Otherwise OpenTelemetry's SDK is not even loaded. */
export async function startTracing(service: string, version: string, logger: Logger): Promise<Tracing> {
  if (!isTracingConfigured()) return { close: async () => undefined };
  const { openTracer } = await import('./open-tracer.js');
  const { tracer, close } = openTracer(service, version, logger);
  recordSpans(tracer);
  return {
    close: async () => {
      recordSpans(undefined);
      await close();
    },
  };
}
