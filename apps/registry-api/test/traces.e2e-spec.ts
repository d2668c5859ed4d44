import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type CollectedSpan,
  eventually,
  SharedPostgres,
  startTraceCollector,
  type TraceCollector,
} from '@svc/test-servers';
import { RegistryProcess } from './registry-process.js';
import { registration } from './running-registry.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = '00f067aa0ba902b7';

const postgres = new SharedPostgres();
let dataDir: string;
let collector: TraceCollector;
let registry: RegistryProcess;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'registry-traces-'));
  collector = await startTraceCollector();
});
afterEach(async () => {
  await collector.close();
  await rm(dataDir, { recursive: true });
});
afterAll(async () => postgres.dropDatabases());

async function start(environment: Readonly<Record<string, string>>): Promise<void> {
  const DATABASE_URL = await postgres.createRegistryDatabase();
  registry = await RegistryProcess.start({ DATABASE_URL, DATA_DIR: dataDir, ...environment });
}

function endpoint(): Readonly<Record<string, string>> {
  return { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '100' };
}

/** Makes the process tell at its end which files it loaded, as V8's coverage does. */
async function spyOnModules(): Promise<{ readonly NODE_V8_COVERAGE: string; loaded(): Promise<string[]> }> {
  const folder = await mkdtemp(join(dataDir, 'loaded-'));
  const loaded = async () => {
    const reports = await Promise.all(
      (await readdir(folder)).map(async (name) => readFile(join(folder, name), 'utf8')),
    );
    return reports.flatMap((report) => (JSON.parse(report) as Coverage).result.map(({ url }) => url));
  };
  return { NODE_V8_COVERAGE: folder, loaded };
}

interface Coverage {
  readonly result: readonly { readonly url: string }[];
}

const REGISTRY = /\/dist\/start-registry-/;
/** The part of the bundle that holds OpenTelemetry's SDK. */
const OPENTELEMETRY_SDK = /\/dist\/open-tracer-/;

function logged(msg: string): Record<string, unknown>[] {
  const lines = registry.printed().split('\n').filter(Boolean);
  return lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter((line) => line['msg'] === msg);
}

test("a request's span is below its caller's, and its statements are below it, without anything secret", async () => {
  const { NODE_V8_COVERAGE, loaded } = await spyOnModules();
  await start({
    ...endpoint(),
    NODE_V8_COVERAGE,
    OTEL_SERVICE_NAME: 'registry-of-tests',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=of-tests',
  });
  const token = await registry.token();
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    traceparent: `00-${TRACE}-${CALLER}-01`,
  };
  const body = JSON.stringify(registration({ client_name: 'Not for collectors' }));
  const created = await fetch(`${registry.url}/client?private=query`, { method: 'POST', headers });
  expect(created.status).toBe(400);
  const answer = await fetch(`${registry.url}/client`, { method: 'POST', headers, body });
  const client = (await answer.json()) as Record<string, string>;
  const operations = [{ op: 'register', client: registration() }];
  expect((await registry.ask('POST', '/clients/bulk', { body: { operations } })).status).toBe(200);
  await fetch(`${registry.url}/client/${client['client_id']}?private=query`, { headers });
  expect((await registry.ask('GET', '/client?limit=7')).status).toBe(200);
  await fetch(`${registry.url}/health/ready`);
  expect(await registry.end('SIGTERM')).toBe(0);

  const server = (name: string) => collector.spans.filter((span) => span.kind === 2 && span.name === name);
  const [, posted] = server('POST /client');
  expect(posted).toMatchObject({
    traceId: TRACE,
    parentSpanId: CALLER,
    attributes: {
      'http.request.method': 'POST',
      'http.route': '/client',
      'http.response.status_code': 201,
      'url.scheme': 'http',
    },
    resource: {
      'service.name': 'registry-of-tests',
      'deployment.environment.name': 'test',
      'service.version': expect.any(String) as string,
    },
  });
  const below = (parent: CollectedSpan | undefined) =>
    collector.spans.filter(({ parentSpanId }) => parentSpanId === parent!.spanId);
  expect(below(posted)).toMatchObject([
    { name: 'clients_register', traceId: TRACE, kind: 3, attributes: { 'db.system.name': 'postgresql' } },
  ]);
  expect(below(server('POST /clients/bulk')[0]).map(({ name }) => name)).toContain('COMMIT');
  expect(server('GET /client/:client_id')).toHaveLength(1);
  expect(below(server('GET /client')[0]).map(({ name }) => name)).toContain('find_clients');
  expect(collector.spans.filter(({ name }) => name.includes('health'))).toEqual([]);
  // What runs in the background is not traced.
  expect(collector.spans.filter(({ kind, parentSpanId }) => kind !== 2 && !parentSpanId)).toEqual([]);

  expect(collector.headers()).toMatchObject({ 'x-tenant': 'of-tests' });
  const received = collector.received();
  for (const secret of [
    token,
    client['client_secret']!,
    client['client_id']!,
    'private',
    'Not for collectors',
  ])
    expect(received).not.toContain(secret);

  const line = logged('request').find(({ span_id }) => span_id === posted!.spanId);
  expect(line).toMatchObject({ trace_id: TRACE, route: '/client', status: 201 });
  // The test below relies on this.
  expect((await loaded()).some((file) => OPENTELEMETRY_SDK.test(file))).toBe(true);
});

test('what the sampler leaves out is not exported', async () => {
  await start({ ...endpoint(), OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' });
  expect((await registry.ask('GET', '/client')).status).toBe(200);
  expect(await registry.end('SIGTERM')).toBe(0);
  expect(collector.spans).toEqual([]);
});

test('without an endpoint nothing is exported, and the SDK is not even loaded', async () => {
  const { NODE_V8_COVERAGE, loaded } = await spyOnModules();
  await start({ NODE_V8_COVERAGE });
  expect((await registry.ask('GET', '/client')).status).toBe(200);
  expect(await registry.end('SIGTERM')).toBe(0);
  const files = await loaded();
  expect(files.some((file) => REGISTRY.test(file))).toBe(true);
  expect(files.filter((file) => OPENTELEMETRY_SDK.test(file))).toEqual([]);
  expect(collector.spans).toEqual([]);
});

test('a collector that cannot be reached slows nothing down, and is logged once', async () => {
  const away = collector.url;
  await collector.close();
  await start({
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${away}/v1/traces`,
    OTEL_BSP_SCHEDULE_DELAY: '50',
    OTEL_EXPORTER_OTLP_TIMEOUT: '200',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
  });
  expect(logged('ignoring a tracing setting')).toMatchObject([
    { reason: 'OTLP over grpc is not supported, only http/json' },
  ]);
  for (let round = 0; round < 5; round += 1) {
    expect((await registry.ask('GET', '/client')).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  await eventually(async () => expect(logged('cannot export traces')).toHaveLength(1));
  collector = await startTraceCollector(Number(new URL(away).port));
  await eventually(async () => {
    await registry.ask('GET', '/client');
    expect(logged('exporting traces again')).toHaveLength(1);
  });
  expect(logged('cannot export traces')).toHaveLength(1);
  expect(collector.spans.length).toBeGreaterThan(0);
  expect(await registry.end('SIGTERM')).toBe(0);
});

test('a collector that never responds delays a shutdown by a few seconds only', async () => {
  await start({ ...endpoint(), OTEL_BSP_SCHEDULE_DELAY: '60000' });
  collector.setSilent(true);
  expect((await registry.ask('GET', '/client')).status).toBe(200);
  const began = performance.now();
  expect(await registry.end('SIGTERM')).toBe(0);
  expect(performance.now() - began).toBeLessThan(7_000);
});
