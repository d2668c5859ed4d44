import { setTimeout as sleep } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { query, recordFigure } from '@svc/test-servers';
import { Door } from './support/door.js';
import { Example } from './support/example.js';
import { type RegisteredClient, Registry } from './support/registry.js';
import { type CountedRequest, sameDayFor, storedCounts, total, UsageLedger } from './support/usage-ledger.js';

jest.setTimeout(3_600_000);

/** How often an authorization server is killed. */
const KILLS = Number(process.env['DRILL_KILLS'] ?? 1);

/** The interval of reports. */
const INTERVAL_MS = 10_000;

/** What a report may take on a busy machine, from its first count to its arrival. */
const SLACK_MS = 1_500;

/** Requests at once, per authorization server. */
const CALLERS = 2;

const CALLBACK = 'https://shop.example/cb';
const OTHER = 'https://shop.example/other';
const PREFIX = 'https://app.example/';
const PKCE = {
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
};
const S256 = { kind: 'request', pkce: 'S256', response_type: 'code' };

let replicas: [Registry, Registry];
/** Where each door leads. */
let targets: [Registry, Registry];
let doors: [Door, Door];
let tokens: { readonly server: string; readonly developers: string };
beforeAll(async () => {
  const first = await Registry.start();
  replicas = [first, await first.replicate()];
  targets = [...replicas];
  doors = [await Door.open(() => targets[0].url), await Door.open(() => targets[1].url)];
  const server = await first.mint(['clients:read', 'clients:check']);
  const developers = await first.mint(['clients:register']);
  tokens = { server: server.token, developers: developers.token };
});
afterAll(async () => {
  await Promise.all(doors.map((door) => door.close()));
  await replicas[1].vanish();
  await replicas[0].stop();
});

const startServer = async ({ url }: Door) => Example.start(url, tokens.server, tokens.developers);

/** Reporters that have not said that they ended. */
const reporters = async () =>
  (await query(replicas[0].databaseUrl, `SELECT id FROM usage_reporter WHERE actor_id <> ''`)).length;

function requestsOf(server: Example, { client_id: clientId }: RegisteredClient): CountedRequest[] {
  const send = async (parameters: Readonly<Record<string, string>>) => {
    const query = { client_id: clientId, response_type: 'code', scope: 'openid', ...parameters };
    const url = `${server.server}/auth?${new URLSearchParams(query).toString()}`;
    const response = await fetch(url, { redirect: 'manual' });
    await response.arrayBuffer();
    return response.status;
  };
  const exact = { ...S256, redirect_uri: CALLBACK, match: 'exact' };
  const missed = { origin: 'https://shop.example', difference: 'a slash at the end', refusal: 'no_match' };
  return [
    { use: exact, status: 303, send: () => send({ redirect_uri: CALLBACK, ...PKCE }) },
    {
      use: { ...exact, redirect_uri: OTHER, pkce: 'none' },
      status: 303,
      send: () => send({ redirect_uri: OTHER }),
    },
    {
      use: { ...S256, ...missed, redirect_uri: CALLBACK },
      status: 400,
      send: () => send({ redirect_uri: `${CALLBACK}/`, ...PKCE }),
    },
  ].map((request) => ({ clientId, ...request }));
}

function prefixRequest(server: Example, client: RegisteredClient): CountedRequest {
  const use = { ...S256, redirect_uri: PREFIX, match: 'prefix' };
  const query = { client_id: client.client_id, response_type: 'code', redirect_uri: `${PREFIX}ann`, ...PKCE };
  const url = `${server.server}/auth?${new URLSearchParams({ ...query, scope: 'openid' }).toString()}`;
  const send = async () => (await fetch(url, { redirect: 'manual' })).status;
  return { clientId: client.client_id, use, status: 303, send };
}

function secretRequest(
  server: Example,
  { client_id: clientId }: RegisteredClient,
  secret: string,
  status: 400 | 401,
): CountedRequest {
  const form = { grant_type: 'authorization_code', code: 'none', redirect_uri: CALLBACK };
  const send = async () => {
    const response = await fetch(`${server.server}/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}` },
      body: new URLSearchParams(form),
    });
    await response.arrayBuffer();
    return response.status;
  };
  const use = status === 401 ? { refusal: 'wrong_secret' } : { secret: secret.slice(-4) };
  return { clientId, use: { kind: 'secret', ...use }, status, send };
}

const register = async (overrides: object = {}) =>
  replicas[0].register({
    redirect_uris: [CALLBACK, OTHER],
    token_endpoint_auth_method: 'client_secret_basic',
    ...overrides,
  });

test('two authorization servers and two replicas that stop in order count every request once', async () => {
  await sameDayFor(60_000);
  const [shop, app] = [
    await register(),
    await register({ redirect_uris: [PREFIX], redirect_uri_validation_method: 'prefix_match' }),
  ];
  const rotation = { overlap: '1 h' };
  const { client_secret: newer } = await replicas[0].ask<RegisteredClient>(
    'POST',
    `/client/${shop.client_id}/reset_secret`,
    rotation,
  );
  const servers = await Promise.all(doors.map(startServer));
  const ledger = new UsageLedger();
  let isOver = false;
  const calls = servers.flatMap((server) => {
    const kinds = [
      ...requestsOf(server, shop),
      prefixRequest(server, app),
      secretRequest(server, shop, shop.client_secret, 400),
      secretRequest(server, shop, newer, 400),
      secretRequest(server, shop, 'a wrong secret', 401),
    ];
    return Array.from({ length: CALLERS }, () => ledger.call(kinds, () => isOver));
  });
  await sleep(INTERVAL_MS * 1.2);
  // While requests are in progress.
  const stopped = await Promise.all(servers.map((server) => server.stop('SIGTERM')));
  isOver = true;
  await Promise.all(calls);
  expect(stopped).toEqual([0, 0]);
  const left = await Promise.all(replicas.map((replica) => replica.leave()));
  const { databaseUrl } = replicas[0];
  const counted = await storedCounts(databaseUrl, [shop.client_id, app.client_id]);
  const unfinished = await query(databaseUrl, 'SELECT id FROM usage_reporter');
  for (const replica of replicas) await replica.appear();
  expect(left).toEqual([0, 0]);
  expect(counted).toEqual(ledger.answered());
  expect(counted.size).toBe(7);
  expect(unfinished).toEqual([]);
  recordFigure(
    'stopped in order: requests answered, counted',
    `${total(ledger.answered())}, ${total(counted)}`,
  );
});

/** Kills the replica that a door leads to, at this moment of the next report there. The other one takes its place. */
async function killReplica(at: 0 | 1, moment: 'received' | 'answered'): Promise<void> {
  let dead: Promise<void> | undefined;
  await doors[at].interruptReport(moment, () => {
    dead = replicas[at].vanish();
    targets[at] = replicas[1 - at]!;
  });
  await dead;
  await replicas[at].appear();
  targets[at] = replicas[at];
}

async function nextCountedReport({ countedReports }: Door): Promise<void> {
  for (const former = countedReports.length; countedReports.length === former;) await sleep(20);
}

test('a killed authorization server loses at most its last interval, and no batch counts twice', async () => {
  const before = await reporters();
  for (let kill = 1; kill <= KILLS; kill += 1) {
    await sameDayFor(120_000);
    const clients = [await register(), await register()] as const;
    const [killed, other] = [await startServer(doors[0]), await startServer(doors[1])];
    const ledgers = [new UsageLedger(), new UsageLedger()] as const;
    let isOver = false;
    const calls = [killed, other].flatMap((server, at) =>
      Array.from({ length: CALLERS }, () =>
        ledgers[at]!.call(requestsOf(server, clients[at]!), () => isOver),
      ),
    );
    await killReplica(0, 'received');
    await killReplica(1, 'answered');
    await nextCountedReport(doors[0]);
    await sleep(Math.random() * INTERVAL_MS);
    const killedAt = Date.now();
    await killed.stop('SIGKILL');
    const reportedTo = doors[0].countedReports.at(-1)!;
    await sleep(500);
    isOver = true;
    await Promise.all(calls);
    expect(await other.stop('SIGTERM')).toBe(0);
    const { databaseUrl } = replicas[0];
    const [ofKilled, ofOther] = await Promise.all(
      clients.map(({ client_id: id }) => storedCounts(databaseUrl, [id])),
    );
    expectWithin(ofOther!, ledgers[1].answered(), ledgers[1].sent());
    const latest = Math.max(reportedTo, killedAt - INTERVAL_MS) - SLACK_MS;
    expectWithin(ofKilled!, ledgers[0].answered(latest), ledgers[0].sent());
    expect(await reporters()).toBe(before + kill);
    const [answered, lost] = [total(ledgers[0].answered()), total(ledgers[0].answered()) - total(ofKilled!)];
    recordFigure(
      `lost of ${answered} requests, ${((killedAt - reportedTo) / 1_000).toFixed(1)} s after the last report, kill ${kill}`,
      String(lost),
    );
  }
});

function expectWithin(
  counted: ReadonlyMap<string, number>,
  least: ReadonlyMap<string, number>,
  most: ReadonlyMap<string, number>,
): void {
  for (const [key, count] of counted)
    expect([key, count]).toEqual([key, Math.min(count, most.get(key) ?? 0)]);
  for (const [key, count] of least) {
    expect([key, counted.get(key) ?? 0]).toEqual([key, Math.max(counted.get(key) ?? 0, count)]);
  }
}
