import { setTimeout as sleep } from 'node:timers/promises';
import { jest } from '@jest/globals';
import type { Adapter, Client } from 'oidc-provider';
import { RegistryUnavailableError } from '../src/index.js';
import { SECRET, type ShopProvider, startShopProvider } from './shop-provider.js';

let started: ShopProvider;
let { provider, clients, registry, shop, states, feed } = {} as ShopProvider;
beforeEach(async () => {
  started = await startShopProvider();
  ({ provider, clients, registry, shop, states, feed } = started);
});
afterEach(async () => started.stop());

const find = async (clientId: string): Promise<Client> => {
  const found = await provider.Client.find(clientId);
  if (!found) throw new Error(`there is no Client ${clientId}`);
  return found;
};

test('for the registry’s Clients, redirect URIs are compared by the Client’s method and secrets by the registry', async () => {
  clients.attach(provider);
  const client = await find('shop');
  expect(client.redirectUriAllowed('https://shop.example/app/deeper')).toBe(true);
  expect(client.redirectUriAllowed('https://shop.example/other')).toBe(false);
  expect(await client.compareClientSecret(SECRET)).toBe(true);
  expect(await client.compareClientSecret('a guess')).toBe(false);
  expect(await client.compareClientSecret(String(client.clientSecret))).toBe(false);
  expect(client['cookie_name']).toBe('SvcClient_SHOP');
});

test('a Client of the static configuration is unaffected, and no request is made about it', async () => {
  clients.attach(provider);
  const client = await find('static');
  expect(await client.compareClientSecret('a secret of its own')).toBe(true);
  expect(await client.compareClientSecret(SECRET)).toBe(false);
  expect(client.redirectUriAllowed('https://static.example/cb')).toBe(true);
  expect(client.redirectUriAllowed('https://static.example/cb/deeper')).toBe(false);
  expect(registry.requests.filter((line) => !line.includes('/clients/changes'))).toEqual([]);
});

test('an unattached provider accepts no secret, and redirect URIs by full_match only', async () => {
  const client = await find('shop');
  expect(await client.compareClientSecret(SECRET)).toBe(false);
  expect(client.redirectUriAllowed('https://shop.example/app/deeper')).toBe(false);
});

test('a Client unknown to the registry does not exist', async () => {
  expect(await provider.Client.find('portal')).toBeUndefined();
});

test.each(['upsert', 'destroy', 'consume', 'revokeByGrantId'] as const)(
  'a Client cannot be changed through the provider (%s)',
  async (change) => {
    const { adapter } = provider.Client as unknown as { readonly adapter: Adapter };
    await expect(adapter[change]('shop', {})).rejects.toThrow(
      /registered, changed and deleted at the registry/,
    );
  },
);

test('once closed, no Client is served and the feed is closed', async () => {
  clients.attach(provider);
  while (!clients.isFollowing) await new Promise((resolve) => setImmediate(resolve));
  await clients.close();
  expect([clients.isFollowing, states]).toEqual([false, [{ following: true }]]);
  await expect(find('shop')).rejects.toBeInstanceOf(RegistryUnavailableError);
});

describe('a Client that has changed', () => {
  const isFollowing = async () => {
    while (!clients.isFollowing) await new Promise((resolve) => setImmediate(resolve));
  };
  /** Resolves once the Client was read again after the event. */
  const readAfter = async (event: string) => {
    const { length } = registry.leastChanges;
    feed().write(event);
    while (registry.leastChanges.length === length) {
      await find('shop');
      await new Promise((resolve) => setImmediate(resolve));
    }
    return registry.leastChanges.at(-1);
  };
  const change = (id: string) => `id: ${id}\ndata: ${JSON.stringify({ client_id: 'shop' })}\n\n`;
  beforeEach(async () => {
    await isFollowing();
    await find('shop');
    expect(registry.leastChanges).toEqual([undefined]);
  });

  test('is read as it was after that change, until a second has passed', async () => {
    expect(await readAfter(change('42-9f86d081884c'))).toBe('42-9f86d081884c');
    // The registry has been restored.
    expect(await readAfter(change('7-9f86d081884c'))).toBe('7-9f86d081884c');
    await sleep(1_000);
    await find('shop');
    expect(registry.leastChanges.at(-1)).toBeUndefined();
  });

  test('is read as it was after a change of which the feed does not say which Client it concerns', async () => {
    expect(await readAfter('id: 43-9f86d081884c\ndata: {}\n\n')).toBe('43-9f86d081884c');
  });

  test('is read without a position that no header can contain', async () => {
    expect(await readAfter(change('4 2'))).toBeUndefined();
  });

  test('is read without the position of a change that may have been lost with the feed', async () => {
    await readAfter(change('42-9f86d081884c'));
    const before = feed();
    before.end();
    while (feed() === before) await sleep(5);
    await isFollowing();
    await find('shop');
    expect(registry.leastChanges).toEqual([undefined, '42-9f86d081884c', undefined]);
  });
});

test('a redirect URI fails from the instant of its end, also for a Client that was read before', async () => {
  const preview = 'https://preview.example/cb';
  const end = Date.now() + 60_000;
  Object.assign(shop, {
    redirect_uris: ['https://shop.example/app/', preview],
    temporary_redirect_uris: [{ redirect_uri: preview, expires_at: new Date(end).toISOString() }],
  });
  clients.attach(provider);
  const client = await find('shop');
  expect(client.redirectUriAllowed(preview)).toBe(true);
  jest.spyOn(Date, 'now').mockReturnValue(end);
  expect(client.redirectUriAllowed(preview)).toBe(false);
  expect(client.redirectUriAllowed('https://shop.example/app/deeper')).toBe(true);
});
