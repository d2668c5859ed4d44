import { SharedPostgres } from '@svc/test-servers';
import { prunerOf, recorded, verified } from './security-events/recorded-events.js';
import { pathOf, registration, type RunningRegistry, runRegistry } from './running-registry.js';

const [OLD, NEW] = ['o'.repeat(32), 'n'.repeat(32)];
const TOKEN = 't'.repeat(43);

const server = new SharedPostgres();
afterAll(async () => server.dropDatabases());

const isValid = async (registry: RunningRegistry, client: Record<string, unknown>) => {
  const body = { client_secret: client['client_secret'] };
  const path = `${pathOf(client['client_id'])}/check/secret`;
  return (await registry.ask('POST', path, { body })).body['valid'];
};

test('secrets move to a new pepper as they are checked, until the former one can be removed', async () => {
  const database = { DATABASE_URL: await server.createRegistryDatabase(), BOOTSTRAP_TOKEN: TOKEN };
  const running = async (pepper: string) => runRegistry({ ...database, SECRET_PEPPER: pepper });

  const before = await running(OLD);
  const [used, unused] = [
    (await before.ask('POST', '/client', { body: registration() })).body,
    (await before.ask('POST', '/client', { body: registration() })).body,
  ];
  expect(before.logged()).not.toContain('pepper');
  await before.close();

  const between = await running(`${NEW} ${OLD}`);
  expect(between.logged()).toMatch(/"secrets":2,.*client secrets still need a pepper other than the first/);
  expect(await isValid(between, { ...used, client_secret: 'wrong' })).toBe(false);
  expect(await isValid(between, used)).toBe(true);
  expect(await isValid(between, used)).toBe(true);
  await between.close();

  const after = await running(NEW);
  expect(after.logged()).toMatch(
    /"secrets":1,.*client secrets are hashed with a pepper that is not configured/,
  );
  expect(await isValid(after, used)).toBe(true);
  expect(await isValid(after, unused)).toBe(false);
  await after.close();

  const again = await running(`${NEW} ${OLD}`);
  expect(await isValid(again, unused)).toBe(true);
  await again.close();
  const last = await running(`${NEW} ${OLD}`);
  expect(last.logged()).toContain('no client secret needs a pepper other than the first');
  await last.close();
});

/** The registries of one database, each with peppers of its own. */
async function replicas(): Promise<(peppers: string) => Promise<RunningRegistry>> {
  const database = { DATABASE_URL: await server.createRegistryDatabase(), BOOTSTRAP_TOKEN: TOKEN };
  return async (peppers) => runRegistry({ ...database, SECRET_PEPPER: peppers });
}

const registered = async (registry: RunningRegistry) =>
  (await registry.ask('POST', '/client', { body: registration() })).body;

const addEvent = async ({ ask }: RunningRegistry, name = 'any') =>
  expect(await ask('POST', '/token', { body: { name, scopes: ['clients:read'] } })).toMatchObject({
    status: 201,
  });

test('a rotation in three steps, one replica after the other, breaks neither a secret nor the record', async () => {
  const start = await replicas();
  let [first, second] = [await start(OLD), await start(OLD)];
  const clients: Record<string, unknown>[] = [];
  const bothWork = async () => {
    for (const registry of [first, second]) {
      clients.push(await registered(registry));
      await addEvent(registry);
    }
    // Each checks what the other has hashed, and again once that may have been rehashed.
    for (const registry of [first, second, first, second])
      for (const client of clients) expect(await isValid(registry, client)).toBe(true);
    await verified(first, undefined, [NEW, OLD]);
  };
  await bothWork();
  for (const peppers of [`${OLD} ${NEW}`, `${NEW} ${OLD}`, NEW]) {
    await first.close();
    first = await start(peppers);
    await bothWork();
    await second.close();
    second = await start(peppers);
    await bothWork();
  }
  expect(await recorded(first, 'kind=record_broken&kind=record_unverified')).toEqual([]);
  for (const registry of [first, second]) {
    expect(registry.logged()).not.toContain('a pepper that is not configured');
    await registry.close();
  }
});

test('old events stay until a registry knows the pepper that they are under', async () => {
  const start = await replicas();
  const before = await start(OLD);
  await addEvent(before);
  await before.close();
  const unknowing = await start(NEW);
  await addEvent(unknowing);
  const inTwoYears = new Date(Date.now() + 2 * 365 * 86_400_000);
  const events = await recorded(unknowing);
  for (let round = 0; round < 2; round += 1) expect(await prunerOf(unknowing).prune(inTwoYears)).toBe(0);
  expect(await recorded(unknowing)).toEqual(events);
  expect(unknowing.logged().split('old security events are kept')).toHaveLength(2);
  await unknowing.close();

  const knowing = await start(`${NEW} ${OLD}`);
  expect(await prunerOf(knowing).prune(inTwoYears)).toBeGreaterThanOrEqual(events.length);
  await addEvent(knowing);
  expect(await verified(knowing, undefined, [NEW])).toMatchObject({ events: expect.any(Number) });
  await knowing.close();
});

describe('if one replica does not know the pepper of another', () => {
  let knowing: RunningRegistry;
  let unknowing: RunningRegistry;

  beforeEach(async () => {
    const start = await replicas();
    unknowing = await start(OLD);
    knowing = await start(`${NEW} ${OLD}`);
    for (const registry of [unknowing, knowing, unknowing, knowing]) await addEvent(registry);
  });
  afterEach(async () => {
    await knowing.close();
    await unknowing.close();
  });

  const byHand = async (...statements: readonly string[]) => {
    await knowing.dataSource.query('ALTER TABLE security_event DISABLE TRIGGER security_event_stays');
    for (const statement of statements) await knowing.dataSource.query(statement);
  };
  const REMOVE_LAST = 'DELETE FROM security_event WHERE seq = (SELECT head_seq FROM security_event_chain)';
  const MOVE_HEAD_BACK = `UPDATE security_event_chain SET (head_seq, head_mac, head_key_id) =
    (SELECT seq, mac, key_id FROM security_event ORDER BY seq DESC LIMIT 1)`;

  test('the record says so, and verifies with both peppers', async () => {
    await addEvent(unknowing);
    expect(await recorded(knowing, 'kind=record_broken')).toEqual([]);
    const [unverified] = await recorded(knowing, 'kind=record_unverified');
    const details = {
      after: unverified!.seq - 1,
      key_id: expect.any(String),
      proof_sha256: expect.any(String),
    };
    expect(unverified).toMatchObject({ actor: { source: 'registry' }, details });
    expect(await verified(knowing, undefined, [NEW, OLD])).toMatchObject({ events: expect.any(Number) });
    await expect(verified(knowing, undefined, [OLD])).rejects.toThrow('which SECRET_PEPPER does not list');
    const warning = 'configure the same peppers for all replicas';
    expect(unknowing.logged().split(warning)).toHaveLength(2);
    expect(knowing.logged()).not.toContain(warning);
  });

  test('events that are removed from the end are missed, whoever adds the next one', async () => {
    await addEvent(knowing, 'removed');
    await byHand(REMOVE_LAST, MOVE_HEAD_BACK);
    await addEvent(unknowing);
    await expect(verified(knowing, undefined, [NEW, OLD])).rejects.toThrow(
      /the head of the audit log had no valid proof when event \d+ was added: events before it were removed/,
    );
  });

  test('what the record says about an unverified head does not help to restore that head', async () => {
    const [unverified] = await recorded(knowing, 'kind=record_unverified');
    const { after, ...texts } = unverified!.details;
    await byHand(`DELETE FROM security_event WHERE seq > ${Number(after)}`, MOVE_HEAD_BACK);
    const proofs = Object.values(texts).filter((text) => /^[0-9a-f]{64}$/.test(String(text)));
    expect(proofs).toHaveLength(1);
    await byHand(`UPDATE security_event_chain SET head_proof = decode('${String(proofs[0])}', 'hex')`);
    await expect(verified(knowing, undefined, [NEW, OLD])).rejects.toThrow(
      `the head of the audit log, event ${Number(after)}, has no valid proof: later events were removed`,
    );
  });

  test('naming a pepper that does not exist covers nothing up', async () => {
    await byHand(
      REMOVE_LAST,
      MOVE_HEAD_BACK,
      `UPDATE security_event_chain SET head_key_id = '0123456789abcdef'`,
    );
    await addEvent(unknowing);
    await expect(verified(knowing, undefined, [NEW, OLD])).rejects.toThrow(
      /the head of the audit log before event \d+ was recorded with the pepper 0123456789abcdef, which SECRET_PEPPER does not list/,
    );
  });
});
