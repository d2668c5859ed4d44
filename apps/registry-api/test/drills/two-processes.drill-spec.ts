import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { type PostgresServer, recordFigure, startPostgres } from '@svc/test-servers';
import { FollowedChanges } from '../changes/followed-changes.js';
import { RegistryProcess } from '../registry-process.js';
import { ask, pathOf, registration } from '../running-registry.js';
import { randomFrom, seedOf } from '../seeded-random.js';

jest.setTimeout(600_000);

/** Changes that writers make. */
const CHANGES = Number(process.env['DRILL_CHANGES'] ?? 400);
const WRITERS = 16;

/** Changes that are read through the other process as soon as they are acknowledged. */
const READS = Number(process.env['DRILL_READS'] ?? 50);

/** Tokens that are revoked through one process while they are used at the other. */
const TOKENS = Number(process.env['DRILL_TOKENS'] ?? 4);

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
  const readers = steady.length + restless.length;
  recordFigure(
    `${kept.length} changes by ${WRITERS} writers through both: out of order, lost, doubled`,
    '0, 0, 0',
  );
  recordFigure('readers that got each of them once, half of them over cut connections', String(readers));
});

test('a Client is never read stale through the other process, and its checks go by the change at once', async () => {
  const { body } = await registries[0].ask('POST', '/client', { body: registration() });
  const path = pathOf(body['client_id']);
  const request = { response_type: 'code', redirect_uri: 'https://shop.example/cb' };
  const stream = await FollowedChanges.open(registries[1], TOKEN);
  const lagMs: number[] = [];
  for (let count = 0; count < READS; count += 1) {
    const isEnabled = count % 2 === 1;
    const [here, there] = count % 4 < 2 ? registries : [registries[1], registries[0]];
    expect((await here.ask('POST', `${path}/${isEnabled ? 'enable' : 'disable'}`)).status).toBe(200);
    const acknowledged = performance.now();
    const [read, checked] = await Promise.all([
      there.ask('GET', path),
      there.ask('POST', `${path}/check/authorization_request`, { body: request }),
    ]);
    expect([count, read.body['enabled'], checked.body['valid']]).toEqual([count, isEnabled, isEnabled]);
    await stream.arrived(count + 1);
    lagMs.push(Math.max(0, performance.now() - acknowledged));
  }
  stream.close();
  recordFigure('reads and checks at the other process right after a change, stale', `${2 * READS}, 0`);
  recordFigure('change at a stream of the other process after its answer, at most', ms(Math.max(...lagMs)));
  expect(Math.max(...lagMs)).toBeLessThan(1_000);
});

test('a token that was revoked through one process is refused there at once, by the other one within a second', async () => {
  const lastTakenMs: number[] = [];
  for (let count = 0; count < TOKENS; count += 1) {
    const token = await makeToken();
    const isTaken = async (registry: RegistryProcess) =>
      (await ask(`${registry.url}/client?limit=1`, 'GET', token.value)).status === 200;
    expect([await isTaken(registries[0]), await isTaken(registries[1])]).toEqual([true, true]);
    expect((await registries[0].ask('DELETE', `/token/${token.id}`)).status).toBe(200);
    const revoked = performance.now();
    expect(await isTaken(registries[0])).toBe(false);
    let [sentMs, lastMs] = [0, 0];
    while (await isTaken(registries[1])) {
      lastMs = sentMs;
      sentMs = performance.now() - revoked;
    }
    lastTakenMs.push(lastMs);
  }
  recordFigure(
    `${TOKENS} tokens revoked: last taken by the other process after, at most`,
    ms(Math.max(...lastTakenMs)),
  );
  expect(Math.max(...lastTakenMs)).toBeLessThan(1_000);
});

async function makeToken(): Promise<{ id: string; value: string }> {
  const sent = { body: { name: 'drill', scopes: ['clients:read'] } };
  const { body } = await registries[0].ask('POST', '/token', sent);
  return { id: String(body['id']), value: String(body['token']) };
}

function ms(value: number): string {
  return `${Math.round(value)} ms`;
}
