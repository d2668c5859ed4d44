import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, type PostgresServer, query, startPostgres } from '@svc/test-servers';
import { DATABASE_START_MS } from '../on-both-databases.js';
import { type Answer, pathOf, registration, type RunningRegistry, runRegistry } from '../running-registry.js';

const BOOTSTRAP_TOKEN = 'bootstrap-token-of-the-tests-of-standbys';

let primary: PostgresServer;
let standby: PostgresServer;
/** Of the registries' database there. */
let readUrl: string;
/** Writes, and refuses credentials during an outage of the primary. */
let strict: RunningRegistry;
/** Accepts credentials that are a minute old during an outage of the primary. */
let lenient: RunningRegistry;

beforeAll(async () => {
  primary = await startPostgres();
  const database = new URL(await primary.createRegistryDatabase());
  standby = await primary.startStandby();
  readUrl = database.href.replace(database.host, new URL(standby.url).host);
  const environment = {
    DATABASE_URL: database.href,
    DATABASE_READ_URL: readUrl,
    BOOTSTRAP_TOKEN,
    SECRET_PEPPER: BOOTSTRAP_TOKEN,
  };
  strict = await runRegistry(environment);
  lenient = await runRegistry({ ...environment, STALE_CREDENTIALS_SECONDS: '60' });
}, 2 * DATABASE_START_MS);
afterAll(async () => {
  await lenient.close();
  await strict.close();
  await standby.stop();
  await primary.stop();
});

async function register(registry: RunningRegistry, name = 'Shop'): Promise<Answer['body']> {
  const { status, body } = await registry.ask('POST', '/client', {
    body: registration({ client_name: name }),
  });
  expect([status, body]).toEqual([201, expect.objectContaining({ client_id: expect.any(String) })]);
  return body;
}
const nameOf = ({ body }: Answer) => body['client_name'];
const ageOf = ({ headers }: Answer) => headers.get('data-age');

/** Until it is resumed, the standby shows one state. */
const pauseReplay = async () => query(standby.url, 'SELECT pg_wal_replay_pause()');
const resumeReplay = async () => query(standby.url, 'SELECT pg_wal_replay_resume()');

/** Resolves when both registries read from the standby. */
async function readFromStandby(path: string): Promise<void> {
  await eventually(async () => {
    for (const registry of [strict, lenient]) {
      const answer = await registry.ask('GET', path);
      expect([answer.status, ageOf(answer)]).toEqual([200, expect.any(String)]);
    }
  });
}

test('Clients, lists, exports, histories and statistics are read from the standby, with their age', async () => {
  const { client_id } = await register(strict);
  for (const path of [
    pathOf(client_id),
    '/client',
    '/client?q=shop',
    `${pathOf(client_id)}/history`,
    '/clients/stats',
    '/clients/export',
  ]) {
    await eventually(async () => {
      const { status, headers } = await fetch(lenient.url + path, {
        headers: { authorization: `Bearer ${BOOTSTRAP_TOKEN}` },
      });
      expect([path, status, headers.get('data-age')]).toEqual([path, 200, '1']);
    });
  }
  const sessions = await query(
    standby.url,
    `SELECT FROM pg_stat_activity WHERE application_name = 'svc-registry-read'`,
  );
  expect(sessions.length).toBeGreaterThan(0);
});

describe('while the standby lags', () => {
  let path: string;
  let renamed: Answer;
  beforeAll(async () => {
    const { client_id } = await register(strict, 'Before');
    path = pathOf(client_id);
    await readFromStandby(path);
    await pauseReplay();
    renamed = await strict.ask('PATCH', path, { body: { client_name: 'After' } });
    expect(renamed.status).toBe(200);
  });
  afterAll(resumeReplay);

  test('a writer reads its own write, in the same process', async () => {
    const answer = await strict.ask('GET', path);
    expect([nameOf(answer), ageOf(answer)]).toEqual(['After', null]);
  });

  test('others read the former state, as the position of a list shows', async () => {
    const answer = await lenient.ask('GET', path);
    expect([nameOf(answer), ageOf(answer)]).toEqual(['Before', expect.stringMatching(/^[1-5]$/)]);
    const list = await lenient.ask('GET', '/client');
    const seq = list.body['seq'];
    const { body } = await lenient.ask('GET', `/clients/changes?since=${String(seq)}`);
    const changes = body['changes'] as readonly object[];
    expect(changes.at(-1)).toMatchObject({ kind: 'updated', client: { client_name: 'After' } });
  });

  test('a reader that requests at least a known change gets it', async () => {
    const { body } = await lenient.ask('GET', '/clients/changes?newest=1');
    const headers = { 'min-change-seq': String(body['last_seq']) };
    expect(nameOf(await lenient.ask('GET', path, { headers }))).toBe('After');
    const refused = await lenient.ask('GET', path, { headers: { 'min-change-seq': 'now' } });
    expect(refused.status).toBe(400);
  });

  test('credentials are read from the primary after a second', async () => {
    const { body: token } = await strict.ask('POST', '/token', {
      body: { name: 't', scopes: ['clients:read'] },
    });
    const headers = { authorization: `Bearer ${String(token['token'])}` };
    const statusOf = async () => (await fetch(lenient.url + path, { headers })).status;
    // The standby does not have it.
    expect(await statusOf()).toBe(200);
    expect((await strict.ask('DELETE', `/token/${String(token['id'])}`)).status).toBe(200);
    await strict.ask('POST', `${path}/disable`);
    await sleep(1_500);
    expect(await statusOf()).toBe(401);
    const check = await lenient.ask('POST', `${path}/check/authorization_request`, { body: {} });
    expect([check.body['valid'], JSON.stringify(check.body)]).toEqual([
      false,
      expect.stringContaining('disabled'),
    ]);
  });

  test('a Client and its secret are found before the standby has them', async () => {
    const created = await register(strict, 'New');
    const newPath = pathOf(created['client_id']);
    expect((await lenient.ask('GET', newPath)).status).toBe(200);
    const body = { client_secret: created['client_secret'] };
    expect((await lenient.ask('POST', `${newPath}/check/secret`, { body })).body['valid']).toBe(true);
  });

  test('after five seconds everything is read from the primary', async () => {
    await eventually(async () => {
      const answer = await lenient.ask('GET', path);
      expect([nameOf(answer), ageOf(answer)]).toEqual(['After', null]);
    });
  });
});

describe('a token that is revoked while the standby lags', () => {
  let token: Answer['body'];
  const isAccepted = async ({ url }: RunningRegistry) => {
    const headers = { authorization: `Bearer ${String(token['token'])}` };
    return (await fetch(`${url}/clients/stats`, { headers })).status === 200;
  };
  beforeEach(async () => {
    const body = { name: 'revoked', scopes: ['clients:read'] };
    ({ body: token } = await strict.ask('POST', '/token', { body }));
    const isOnStandby = `SELECT FROM api_token WHERE id = '${String(token['id'])}'`;
    await eventually(async () => expect(await query(readUrl, isOnStandby)).toHaveLength(1));
    await readFromStandby('/clients/stats');
    expect([await isAccepted(strict), await isAccepted(lenient)]).toEqual([true, true]);
    await sleep(300);
    await pauseReplay();
    expect((await strict.ask('DELETE', `/token/${String(token['id'])}`)).status).toBe(200);
  });
  afterEach(resumeReplay);

  test('is refused at once by the registry that revoked it', async () => {
    for (let count = 0; count < 10; count += 1) {
      expect(await isAccepted(strict)).toBe(false);
      await sleep(20);
    }
  });

  test('is refused within a second by others', async () => {
    const revokedAt = performance.now();
    let askedAt = revokedAt;
    while (await isAccepted(lenient)) {
      await sleep(10);
      askedAt = performance.now();
    }
    expect(askedAt - revokedAt).toBeLessThan(1_100);
  });
});

describe('a Client that is disabled while the standby lags', () => {
  let path: string;
  let authorization: string;
  beforeAll(async () => {
    const body = { name: 'authorization server', scopes: ['clients:follow', 'clients:check'] };
    authorization = `Bearer ${String((await strict.ask('POST', '/token', { body })).body['token'])}`;
    path = pathOf((await register(strict))['client_id']);
    await readFromStandby(path);
    await pauseReplay();
    expect((await strict.ask('POST', `${path}/disable`)).status).toBe(200);
  });
  afterAll(resumeReplay);

  const readByAuthorizationServer = async () => {
    const response = await fetch(lenient.url + path, { headers: { authorization } });
    expect(response.status).toBe(200);
    return (await response.json()) as Readonly<Record<string, unknown>>;
  };

  test('is disabled for authorization servers within a second, and for others later', async () => {
    const disabledAt = performance.now();
    let askedAt = disabledAt;
    while ((await readByAuthorizationServer())['enabled'] === true) {
      await sleep(10);
      askedAt = performance.now();
    }
    expect(askedAt - disabledAt).toBeLessThan(1_100);
    const answer = await lenient.ask('GET', path);
    expect([answer.body['enabled'], ageOf(answer)]).toEqual([true, expect.stringMatching(/^[1-5]$/)]);
  });
});

describe('during an outage of the primary', () => {
  let path: string;
  beforeAll(async () => {
    path = pathOf((await register(strict))['client_id']);
    await readFromStandby(path);
    await primary.halt('kill');
    await sleep(1_500);
  });
  afterAll(async () => primary.startAgain());

  test('reads continue and report their age, with credentials as old as configured', async () => {
    const answer = await lenient.ask('GET', path);
    expect([answer.status, Number(ageOf(answer))]).toEqual([200, expect.any(Number)]);
    expect(Number(ageOf(answer))).toBeGreaterThanOrEqual(2);
    expect((await lenient.ask('GET', '/client')).status).toBe(200);
    const check = await lenient.ask('POST', `${path}/check/secret`, { body: { client_secret: 'wrong' } });
    expect([check.status, check.body['valid']]).toEqual([200, false]);
  });

  test('none are accepted by default', async () => {
    expect((await strict.ask('GET', path)).status).toBe(503);
  });

  test('writes are 503, and the registry reports that it serves only reads', async () => {
    expect((await lenient.ask('POST', '/client', { body: registration() })).status).toBe(503);
    const { status, body } = await lenient.ask('GET', '/health/ready');
    expect([status, body]).toMatchObject([200, { status: 'degraded', checks: { postgresql: 'degraded' } }]);
  });

  test('no read waits for it', async () => {
    const start = performance.now();
    for (let count = 0; count < 50; count += 1) expect((await lenient.ask('GET', path)).status).toBe(200);
    expect((performance.now() - start) / 50).toBeLessThan(500);
  });
});

test('when the primary is back, everything is served again', async () => {
  await eventually(async () => {
    for (const registry of [strict, lenient])
      expect((await registry.ask('GET', '/health/ready')).body['status']).toBe('ready');
  });
  const { client_id } = await register(strict);
  await readFromStandby(pathOf(client_id));
});

test('a frozen standby delays no read for long', async () => {
  const path = pathOf((await register(strict))['client_id']);
  await readFromStandby(path);
  await standby.freeze();
  // What is known of the standby counts for a moment.
  await sleep(300);
  try {
    for (let count = 0; count < 10; count += 1) {
      const start = performance.now();
      expect((await lenient.ask('GET', path)).status).toBe(200);
      expect(performance.now() - start).toBeLessThan(2_000);
    }
  } finally {
    await standby.thaw();
  }
});

test('a read that waits for a primary that froze turns to the standby, which was behind', async () => {
  const path = pathOf((await register(strict))['client_id']);
  await readFromStandby(path);
  await pauseReplay();
  await sleep(600);
  await primary.freeze();
  // The standby's data is too old for credentials, and the primary does not count as away yet.
  await sleep(500);
  try {
    const start = performance.now();
    expect((await lenient.ask('GET', path)).status).toBe(200);
    expect(performance.now() - start).toBeLessThan(2_000);
  } finally {
    await primary.thaw();
    await resumeReplay();
  }
});

test('without the standby everything is read from the primary', async () => {
  const path = pathOf((await register(strict))['client_id']);
  await standby.halt('kill');
  for (const registry of [strict, lenient]) {
    const answers = await Promise.all(Array.from({ length: 20 }, async () => registry.ask('GET', path)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  }
  await standby.startAgain();
});
