import { preferredFormat } from '@svc/foundation';
import { type OpenMetricsContentType, Registry, type RegistryContentType } from 'prom-client';

/** Metrics as text, in the format that the caller prefers. */
export interface Exposition {
  readonly contentType: string;
  readonly text: string;
}

/** Media types; callers that do not care get Prometheus' own, which every tool reads. */
const FORMATS = { prometheus: ['text/plain'], openMetrics: ['application/openmetrics-text'] } as const;

/** Where metrics are registered. */
export type MetricsRegistry = Registry<OpenMetricsContentType>;

/** prom-client accepts metrics with exemplars only here. What callers get is written by {@link exposeMetrics}. */
export function createRegistry(): MetricsRegistry {
  const registry: MetricsRegistry = new Registry();
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  return registry;
}

/** Exemplars, which name the trace of a request, exist in OpenMetrics only. */
export async function exposeMetrics(
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
