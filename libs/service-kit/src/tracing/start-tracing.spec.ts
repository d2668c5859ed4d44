import { isTracingConfigured } from './start-tracing.js';

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example:4318' };

test.each<[string, boolean, Readonly<Record<string, string>>]>([
  ['with an endpoint', true, ENDPOINT],
  ['with an endpoint for traces', true, { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://collector.example/x' }],
  ['with the SDK enabled', true, { ...ENDPOINT, OTEL_SDK_DISABLED: 'false', OTEL_TRACES_EXPORTER: 'otlp' }],
  ['without an endpoint', false, {}],
  ['with an empty endpoint', false, { OTEL_EXPORTER_OTLP_ENDPOINT: ' ' }],
  ['when the SDK is disabled', false, { ...ENDPOINT, OTEL_SDK_DISABLED: 'True' }],
  ['when traces have no exporter', false, { ...ENDPOINT, OTEL_TRACES_EXPORTER: 'None' }],
])('%s: traces are configured: %p', (_case, isConfigured, environment) => {
  expect(isTracingConfigured(environment)).toBe(isConfigured);
});
