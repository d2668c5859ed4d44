import { type ClientMetadata, DEFAULT_CAPABILITIES, extendCapabilities } from '@svc/client-metadata';
import { CookieHosts } from './cookie-entrypoints.service.js';

const client = (clientId: string, overrides: Partial<ClientMetadata>) => ({
  clientId,
  metadata: { client_name: clientId, redirect_uris: [], ...overrides } as unknown as ClientMetadata,
});

const listed = (clients: ReturnType<typeof client>[], capabilities = DEFAULT_CAPABILITIES) => {
  const hosts = new CookieHosts(capabilities);
  for (const each of clients) hosts.add(each);
  return hosts.list();
};

test('a hostname has the entry point that any of its Clients names', () => {
  const hosts = listed([
    client('a', { redirect_uris: ['https://x.example/a'], cookie_webhook_uri: 'https://hook.example/' }),
    client('b', {
      redirect_uris: ['https://X.example:8443/b'],
      cookie_entry_uri: 'https://x.example/cookie',
    }),
  ]);
  expect(hosts).toEqual([
    {
      hostname: 'x.example',
      entrypoints: ['https://x.example/cookie'],
      client_count: 2,
      clients: ['a', 'b'],
    },
  ]);
});

test('a hostname whose Clients name an entry point elsewhere lacks one', () => {
  const hosts = listed([
    client('a', { redirect_uris: ['https://x.example/'], cookie_entry_uri: 'https://y.example/cookie' }),
  ]);
  expect(hosts).toEqual([expect.objectContaining({ hostname: 'x.example', entrypoints: [] })]);
});

test('Clients without cookie-based authorization do not count, nor does the configured cookie domain', () => {
  const capabilities = extendCapabilities({ default_cookie_domain: 'example.com' });
  const uris = { redirect_uris: ['https://x.example.com/'] };
  const clients = [client('a', uris), client('b', { ...uris, cookie_domain: 'example.com' })];
  expect(listed(clients, capabilities)).toEqual([]);
  expect(listed([client('c', { ...uris, cookie_domain: 'x.example.com' })], capabilities)).toHaveLength(1);
});

test('a Client counts once on a hostname, and native schemes have none', () => {
  const redirect_uris = ['https://x.example/1', 'https://x.example/2', 'com.example.app:/cb'];
  expect(listed([client('a', { redirect_uris, cookie_domain: 'x.example' })])).toEqual([
    expect.objectContaining({ hostname: 'x.example', client_count: 1 }),
  ]);
});

test('of very many Clients, a hundred are named and all are counted', () => {
  const clients = Array.from({ length: 150 }, (_, at) =>
    client(`c${at}`, { redirect_uris: ['https://x.example/'], cookie_domain: 'x.example' }),
  );
  const [host] = listed(clients);
  expect([host?.client_count, host?.clients.length]).toEqual([150, 100]);
});
