import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { longestProbe, type PostgresServer, recordFigure, startPostgres } from '@svc/test-servers';
import { RegistryProcess } from '../registry-process.js';
import { registration } from '../running-registry.js';

/** The longest that a probe may wait, in milliseconds: of the main thread's processor time, and alone also by the clock. */
const LONGEST_MS = 250;
const ON_IDLE_MACHINE = process.env['DRILL_IDLE_MACHINE'] !== undefined;

const MEBIBYTE = 1024 * 1024;

let server: PostgresServer;
let dataDir: string;
let registry: RegistryProcess;
beforeAll(async () => {
  server = await startPostgres();
  dataDir = await mkdtemp(join(tmpdir(), 'drill-'));
  registry = await RegistryProcess.start({
    DATABASE_URL: await server.createDatabase(),
    DATA_DIR: dataDir,
    BOOTSTRAP_TOKEN: randomBytes(32).toString('hex'),
  });
});
afterAll(async () => {
  expect(await registry.end('SIGTERM')).toBe(0);
  await server.stop();
  await rm(dataDir, { recursive: true });
});

/** A hundred percent-encoded URIs, each decoded before it is validated. */
const encoded = (index: number) =>
  registration({
    client_name: `bulk ${index}`,
    redirect_uris: Array.from(
      { length: 100 },
      (_, i) => `https://client.example/%41%42%43/${'x'.repeat(90)}${index}-${i}`,
    ),
  });

/** Texts with an accent take longest to fold for searches. */
const stored = (index: number) =>
  registration({
    client_name: `é ${index}`,
    redirect_uris: Array.from(
      { length: 20 },
      (_, i) => `https://client.example/${'/x-y'.repeat(100)}${index}-${i}`,
    ),
  });

/** Names that are nearly one of a field each ask for a suggestion. */
const misspelt = () =>
  Object.fromEntries(Array.from({ length: 120 }, (_, i) => [`redirect_uri${i % 10}${'-_'.repeat(i)}`, 1]));

const bulk = (client: (index: number) => unknown, dryRun = true) =>
  JSON.stringify({
    dry_run: dryRun,
    operations: Array.from({ length: 1_000 }, (_, index) => ({ op: 'register', client: client(index) })),
  });

const lines = Array.from({ length: 500 }, (_, index) =>
  JSON.stringify({ client_id: `client-${index}`, ...encoded(index) }),
).join('\n');

const repeated = (piece: string) => `{"operations":[${piece.repeat((15 * MEBIBYTE) / piece.length)}0]}`;

test.each([
  ['1,000 registrations of 100 percent-encoded URIs', '/clients/bulk', bulk(encoded), 200],
  ['1,000 registrations of 20 URIs that are stored', '/clients/bulk', bulk(stored, false), 200],
  ['1,000 registrations with 120 misspelt names each', '/clients/bulk', bulk(misspelt), 400],
  ['15 MiB of empty objects', '/clients/bulk', repeated('{},'), 400],
  ['15 MiB of nested lists', '/clients/bulk', repeated('[[[[[[[[[]]]]]]]]],'), 400],
  ['15 MiB of escaped strings', '/clients/bulk', repeated(String.raw`"\n",`), 400],
  ['an import of 500 Clients with 100 percent-encoded URIs', '/clients/import?dry_run=true', lines, 200],
])('a health probe is answered in time amid %s', async (what, path, body, status) => {
  const contentType = path.startsWith('/clients/import') ? 'application/x-ndjson' : 'application/json';
  const answer = registry.ask('POST', path, { body, headers: { 'content-type': contentType } });
  const { waitedMs, workedMs } = await longestProbe(registry.url, registry.pid, answer);
  recordFigure(
    `longest wait of a health probe amid ${what}`,
    `${waitedMs} ms, ${workedMs} of processor time`,
  );
  expect((await answer).status).toBe(status);
  expect(workedMs).toBeLessThan(LONGEST_MS);
  if (ON_IDLE_MACHINE) expect(waitedMs).toBeLessThan(LONGEST_MS);
});
