import { setTimeout as sleep } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { recordFigure } from '@svc/test-servers';
import {
  type Change,
  changesSeenBy,
  CONFIDENTIAL,
  pathOf,
  timesToEffect,
} from './support/changes-in-effect.js';
import type { RegisteredClient } from './support/registry.js';
import { Stage } from './support/stage.js';

jest.setTimeout(120_000);

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.set();
});
afterAll(async () => stage.strike());

const isAccepted = async (parameters: Readonly<Record<string, string>>) => {
  const { status, location } = await stage.authorize(parameters);
  if (status === 303 && location?.startsWith('/interaction/') === true) return true;
  expect({ status, location }).toEqual({ status: 400, location: null });
  return false;
};
const isAuthenticated = async ({ client_id: id }: RegisteredClient, secret: string) => {
  const { status, text } = await stage.authenticate(id, secret);
  expect(JSON.parse(text)).toMatchObject({ error: status === 401 ? 'invalid_client' : 'invalid_grant' });
  return status !== 401;
};

const ask: Stage['registry']['ask'] = (method, path, body) => stage.registry.ask(method, path, body);

const CHANGES: readonly [string, Change][] = [
  ...changesSeenBy({
    ask,
    isAccepted: ({ client_id }) => isAccepted({ client_id }),
    isAuthenticated: (client) => isAuthenticated(client, client.client_secret),
  }),
  [
    'a Client previously not found is registered',
    {
      before: (client) => ask('DELETE', pathOf(client)),
      make: ({ client_id: id }) => stage.registry.register({ preferred_client_id: id }),
      isInEffect: ({ client_id }) => isAccepted({ client_id }),
    },
  ],
  [
    'prefix_match becomes full_match',
    {
      overrides: {
        redirect_uris: ['https://shop.example/'],
        redirect_uri_validation_method: 'prefix_match',
      },
      make: (client) => ask('PATCH', pathOf(client), { redirect_uri_validation_method: 'full_match' }),
      isInEffect: async ({ client_id }) => !(await isAccepted({ client_id })),
    },
  ],
];

describe.each([
  ['the change feed is followed', () => undefined],
  ['the change feed is lost', () => stage.door.loseFeed()],
])('while %s', (mode, begin) => {
  const times: number[] = [];
  beforeAll(async () => {
    begin();
    if (mode.endsWith('lost')) await stage.example.says(/change feed: away/);
  });
  afterAll(() => {
    const worst = Math.max(...times).toFixed(0);
    recordFigure(`while ${mode}: ${times.length} changes in effect after, at most`, `${worst} ms`);
  });

  test.each(CHANGES)('%s: within a second', async (_name, change) => {
    times.push(...(await timesToEffect(stage.registry, change)));
  });
});

test('during a rotation’s overlap both secrets are valid, afterwards only the new one', async () => {
  const client = await stage.registry.register(CONFIDENTIAL);
  const rotate = (overlap: string) =>
    stage.registry.ask<RegisteredClient>('POST', `${pathOf(client)}/reset_secret`, { overlap });
  const { client_secret: second } = await rotate('1 h');
  expect(await isAuthenticated(client, client.client_secret)).toBe(true);
  expect(await isAuthenticated(client, second)).toBe(true);
  expect(await isAuthenticated(client, `${second}x`)).toBe(false);
  const { client_secret: third } = await rotate('1 s');
  // At most two are valid, and the end of an overlap is not in the feed.
  expect(await isAuthenticated(client, client.client_secret)).toBe(false);
  await sleep(1_100);
  expect(await isAuthenticated(client, second)).toBe(false);
  expect(await isAuthenticated(client, third)).toBe(true);
});

test('a secret in the form is checked by the registry, too', async () => {
  const client = await stage.registry.register({ token_endpoint_auth_method: 'client_secret_post' });
  expect((await stage.authenticate(client.client_id, client.client_secret, 'post')).status).toBe(400);
  expect((await stage.authenticate(client.client_id, 'a guess', 'post')).status).toBe(401);
  expect((await stage.authenticate(client.client_id, 'x'.repeat(2_000), 'post')).status).toBe(401);
});
