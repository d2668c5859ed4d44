import { jest } from '@jest/globals';
import { recordFigure } from '@svc/test-servers';
import type { RegisteredClient } from './support/registry.js';
import { Stage } from './support/stage.js';

jest.setTimeout(120_000);

/** The adapter's request timeout, with extra time for a busy machine. */
const ANSWER_MS = 3_000 + 10_000;

/** Timeout in milliseconds. */
const TIMEOUT_MS = 60_000;

let stage: Stage;
let shop: RegisteredClient;
beforeAll(async () => {
  stage = await Stage.set();
  shop = await stage.registry.register({ token_endpoint_auth_method: 'client_secret_basic' });
});
afterAll(async () => stage.strike());

/** In JSON or in a page. */
const UNAVAILABLE = /temporarily_unavailable.*the client registry is not responding; try again in a moment/s;

/** Repeats a request until it has this status. */
const until = async (status: number, ask: () => Promise<{ readonly status: number }>) => {
  const deadline = Date.now() + TIMEOUT_MS;
  for (let answer = await ask(); answer.status !== status; answer = await ask()) {
    if (Date.now() > deadline) throw new Error(`the answer is still ${answer.status}`);
  }
};

const authorize = () => stage.authorize({ client_id: shop.client_id });
const authenticate = () => stage.authenticate(shop.client_id, shop.client_secret);

/** Both endpoints return a clear error, without redirecting. */
const expectUnavailable = async () => {
  for (const { status, headers, location, text } of await Promise.all([authorize(), authenticate()])) {
    expect([status, location, headers.get('retry-after')]).toEqual([503, null, '2']);
    expect(text).toMatch(UNAVAILABLE);
  }
};

test('a lost change feed is reopened automatically, and changes made meanwhile take effect', async () => {
  const { client_id } = await stage.registry.register();
  const follows = stage.example.printed().match(/change feed: following/g)?.length ?? 0;
  stage.door.loseFeed();
  await stage.example.says(/change feed: away: .*503/);
  expect((await stage.authorize({ client_id })).status).toBe(303);
  await stage.registry.ask('POST', `/client/${client_id}/disable`);
  stage.door.returnFeed();
  await stage.example.says(/change feed: following/, follows + 1);
  expect((await stage.authorize({ client_id })).status).toBe(400);
});

test('a killed registry results in 503, permits nothing, and is used again once it is back', async () => {
  await until(303, authorize);
  await stage.registry.vanish();
  const gone = performance.now();
  await until(503, authorize);
  recordFigure('the registry killed: refused after', `${(performance.now() - gone).toFixed(0)} ms`);
  await expectUnavailable();
  expect((await fetch(stage.example.application)).status).toBe(200);
  await stage.registry.appear();
  await until(303, authorize);
  await until(400, authenticate);
});

test('a frozen registry does not block requests forever', async () => {
  await until(303, authorize);
  stage.registry.freeze();
  try {
    await until(503, authorize);
    const asked = performance.now();
    await expectUnavailable();
    expect(performance.now() - asked).toBeLessThan(2 * ANSWER_MS);
  } finally {
    stage.registry.thaw();
  }
  await until(303, authorize);
});

test('a revoked token permits nothing, and the log has the remedy', async () => {
  await until(303, authorize);
  await stage.registry.ask('DELETE', `/token/${stage.serverTokenId}`);
  await until(503, authorize);
  await expectUnavailable();
  await stage.example.says(
    /GET \/client\/\{client_id\} returned 401: the token is unknown, expired or revoked/,
  );
  await stage.example.says(/change feed: away: .*401/);
});
