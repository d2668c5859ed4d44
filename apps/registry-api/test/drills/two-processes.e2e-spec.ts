import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { type PostgresServer, startPostgres } from '@svc/test-servers';
import { FollowedChanges } from '../changes/followed-changes.js';
import { RegistryProcess } from '../registry-process.js';
import { pathOf, registration } from '../running-registry.js';
import { randomFrom, seedOf } from '../seeded-random.js';

jest.setTimeout(600_000);

/** Changes that writers make. */
const CHANGES = Number(process.env['DRILL_CHANGES'] ?? 400);
const WRITERS = 16;

/** Streams open at once. */
const STREAMS = Number(process.env['DRILL_STREAMS'] ?? 1_000);

const TOKEN = 'drill-'.repeat(8);

let server: PostgresServer;
let dataDir: string;
let registries: [RegistryProcess, RegistryProcess];
beforeAll(async () => {
  server = await startPostgres();
  dataDir = await mkdtemp(join(tmpdir(), 'drill-'));
  const environment = {
    DATABASE_URL: await server.createDatabase(),
    DATA_DIR: dataDir,
    BOOTSTRAP_TOKEN: TOKEN,
    LOG_LEVEL: 'info',
  };
  registries = [await RegistryProcess.start(environment), await RegistryProcess.start(environment)];
});
afterAll(async () => {
  for (const registry of registries) expect(await registry.end('SIGTERM')).toBe(0);
  await server.stop();
  await rm(dataDir, { recursive: true });
});

/** Follows for as long as it is wanted, over connections that are cut at random. */
class RestlessReader {
  readonly seqs: number[] = [];
  private stream: FollowedChanges | undefined;
  private isDone = false;

  constructor(private readonly random: () => number) {}

  async follow(since: number): Promise<void> {
    let lastEventId = String(since);
    for (let turn = 0; !this.isDone; turn += 1) {
      const registry = registries[turn % 2 === 0 ? 0 : 1];
      this.stream = await FollowedChanges.open(registry, TOKEN, { lastEventId });
      const cut = setTimeout(() => this.stream?.close(), 30 + this.random() * 400);
      await this.stream.ended();
      clearTimeout(cut);
      this.seqs.push(...this.stream.seqs);
      ({ lastEventId } = this.stream);
    }
  }

  async finish(count: number): Promise<void> {
    const deadline = Date.now() + 20_000;
    while (this.seqs.length < count && Date.now() < deadline) await sleep(20);
    this.isDone = true;
    this.stream?.close();
  }
}

test('while many writers change Clients through both processes, every reader gets every change once and in order', async () => {
  const seed = seedOf('DRILL_SEED');
  const random = randomFrom(seed);
  const acknowledged: number[] = [];
  const seqOf = ({ headers }: { headers: Headers }) => Number(/\d+/.exec(headers.get('etag') ?? '')?.[0]);
  let left = CHANGES;
  const write = async (): Promise<void> => {
    while (left > 0) {
      left -= 3;
      const [first, second] = random() < 0.5 ? registries : [registries[1], registries[0]];
      const made = await first.ask('POST', '/client', { body: registration() });
      const path = pathOf(made.body['client_id']);
      const body = registration({ client_name: `Shop ${left}` });
      const changed = await second.ask('PUT', path, { body });
      expect([made.status, changed.status]).toEqual([201, 200]);
      acknowledged.push(seqOf(made), seqOf(changed));
      expect((await first.ask('DELETE', path)).status).toBe(204);
    }
  };
  const steady = [
    await FollowedChanges.open(registries[0], TOKEN),
    await FollowedChanges.open(registries[1], TOKEN),
  ];
  const restless = [new RestlessReader(random), new RestlessReader(random)];
  const followed = restless.map(async (reader) => reader.follow(0));
  await Promise.all(Array.from({ length: WRITERS }, write));

  const kept: number[] = [];
  for (let since: unknown = 0; since !== undefined;) {
    const { body } = await registries[0].ask('GET', `/clients/changes?limit=500&since=${String(since)}`);
    kept.push(...(body['changes'] as { seq: number }[]).map(({ seq }) => seq));
    since = body['next'];
  }
  await Promise.all(steady.map(async (stream) => stream.arrived(kept.length)));
  await Promise.all(restless.map(async (reader) => reader.finish(kept.length)));
  await Promise.all(followed);
  expect(kept).toEqual([...new Set(kept)].sort((a, b) => a - b));
  expect(new Set(kept)).toEqual(new Set([...kept, ...acknowledged]));
  for (const { seqs } of [...steady, ...restless]) expect({ seed, seqs }).toEqual({ seed, seqs: kept });
  for (const stream of steady) stream.close();
});

test(`a change is at ${STREAMS} streams within a second, while requests are answered`, async () => {
  const streams: FollowedChanges[] = [];
  while (streams.length < STREAMS) {
    const some = Array.from({ length: 100 }, async () => FollowedChanges.open(registries[0], TOKEN));
    streams.push(...(await Promise.all(some)));
  }
  await registries[1].ask('POST', '/client', { body: registration() });
  const changed = Date.now();
  await Promise.all(streams.map(async (stream) => stream.arrived(1)));
  const tookMs = Date.now() - changed;
  expect((await registries[0].ask('GET', '/client?limit=1')).status).toBe(200);
  process.stderr.write(`a change was at ${STREAMS} streams after ${tookMs} ms\n`);
  expect(tookMs).toBeLessThan(1_000);
  for (const stream of streams) stream.close();
});
