import { rm } from 'node:fs/promises';
import {
  type CollectedSpan,
  GitRepository,
  type GitServer,
  recordSecrets,
  startGitServer,
  startTraceCollector,
  startZookeeper,
  type TraceCollector,
  type ZookeeperServer,
} from '@svc/test-servers';
import { LIBRARY, makeFolder, writeFiles } from '../libraries/support/library-folder.js';
import { startServer } from '../libraries/support/server.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = '00f067aa0ba902b7';
const USER = 'deploy';
const TOKEN = 'git-token-of-this-test-0123456789';

let collector: TraceCollector;
let repository: GitRepository;
let git: GitServer;
let zookeeper: ZookeeperServer;
let lookups: string;

beforeAll(async () => {
  recordSecrets(TOKEN);
  collector = await startTraceCollector();
  repository = await GitRepository.create();
  await repository.commit(LIBRARY);
  git = await startGitServer({ root: repository.root, user: USER, token: TOKEN });
  zookeeper = await startZookeeper();
  lookups = await makeFolder();
  await writeFiles(lookups, { 'sites.csv': 'ip_from,ip_to,site\n10.1.0.0,10.1.255.255,Depot of secrets\n' });
});

afterAll(async () => {
  await collector.close();
  await git.stop();
  await zookeeper.stop();
  await repository.remove();
  await rm(lookups, { recursive: true });
});

test('loads and builds are below their requests, with their parts, without anything secret', async () => {
  const server = await startServer({
    SVCCMD_SOURCE_PATH: `git://${USER}:${TOKEN}@${git.address}/library.git`,
    SVCCMD_DESTINATION_URLS: zookeeper.address,
    SVCCMD_IPLOOKUP_SOURCE_PATH: lookups,
    SVCCMD_IPLOOKUP_DESTINATION_PATH: lookups,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  });
  const headers = { traceparent: `00-${TRACE}-${CALLER}-01`, 'content-type': 'application/json' };
  const loaded = await server.fetch('/library/load?if_changed', { method: 'PUT', headers });
  expect([loaded.status, await loaded.text()]).toEqual([200, expect.stringContaining('"load":1')]);
  const build = async (file: string): Promise<number> => {
    const body = JSON.stringify({ file_name: file, input_ip_format: 'ipv4' });
    const options = { method: 'POST', headers, body };
    return (await server.fetch('/iplookup/from-csv', options)).status;
  };
  expect(await build('sites.csv')).toBe(200);
  // Exemplars lead from a histogram to a trace; only OpenMetrics has them.
  const metrics = async (accept: string) => (await server.fetch('/metrics', { headers: { accept } })).text();
  const open = await metrics('application/openmetrics-text;version=1.0.0;q=0.6,text/plain;q=0.5');
  for (const name of ['http_request', 'library_load', 'iplookup_build'])
    expect(open).toMatch(
      new RegExp(`^${name}_duration_seconds_bucket{.*} [12] # {trace_id="${TRACE}",`, 'm'),
    );
  expect(await metrics('*/*')).not.toContain(TRACE);
  await server.stop();

  const { spans } = collector;
  const named = (name: string): CollectedSpan => spans.find((span) => span.name === name)!;
  const request = named('PUT /library/load');
  expect(request).toMatchObject({
    traceId: TRACE,
    parentSpanId: CALLER,
    kind: 2,
    resource: { 'service.name': 'commander-api' },
  });
  const load = named('library load');
  expect(load).toMatchObject({
    parentSpanId: request.spanId,
    attributes: { 'svc.library.source': 'git', 'svc.library.dry_run': false },
  });
  expect(named('git fetch')).toMatchObject({ parentSpanId: load.spanId, kind: 3, traceId: TRACE });
  expect(named('zookeeper batch')).toMatchObject({
    parentSpanId: load.spanId,
    kind: 3,
    attributes: { 'db.system.name': 'zookeeper', 'db.operation.batch.size': expect.anything() as number },
  });
  expect(named('lookup build')).toMatchObject({
    parentSpanId: named('POST /iplookup/from-csv').spanId,
    attributes: { 'svc.iplookup.kind': 'csv' },
  });
  for (const secret of [TOKEN, USER, git.address, 'if_changed', 'sites.csv', 'Depot', lookups])
    expect(collector.received()).not.toContain(secret);
  const lines = server.log().split('\n').filter(Boolean);
  const loadLine = lines.find((line) => line.includes('"library load"'));
  expect(JSON.parse(loadLine!)).toMatchObject({ trace_id: TRACE, span_id: request.spanId });
});

test('a fetch that fails is a span with the kind of its error', async () => {
  const server = await startServer({
    SVCCMD_SOURCE_PATH: `git://${USER}:${TOKEN}@${git.address}/missing.git`,
    SVCCMD_DESTINATION_URLS: zookeeper.address,
    SVCCMD_DESTINATION_PATH: '/other',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  });
  expect((await server.fetch('/library/load', { method: 'PUT' })).ok).toBe(false);
  await server.stop();
  const failed = collector.spans.filter(({ status }) => status.code === 2).map(({ name }) => name);
  expect(failed).toEqual(expect.arrayContaining(['git fetch', 'library load']));
});
