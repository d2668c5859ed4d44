import { generateKeyPairSync } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import Provider, { type Configuration } from 'oidc-provider';
import { type FeedState, RegistryClients } from '../src/index.js';
import { EmptyStore } from './empty-store.js';
import { type Answer, type FakeRegistry, startFakeRegistry } from './fake-registry.js';

/** Of the Client `shop`. */
export const SECRET = 'the secret known to the registry';

const SHOP = {
  client_id: 'shop',
  enabled: true,
  redirect_uris: ['https://shop.example/app/'],
  redirect_uri_validation_method: 'prefix_match',
  code_challenge_method: 'S256',
  application_type: 'web',
  response_types: ['code', 'id_token'],
  grant_types: ['authorization_code', 'implicit'],
  token_endpoint_auth_method: 'client_secret_basic',
  cookie_name: 'SvcClient_SHOP',
};

/** A provider that takes its Clients from a registry which has one, `shop`. */
export interface ShopProvider {
  readonly provider: Provider;
  readonly clients: RegistryClients;
  readonly registry: FakeRegistry;
  /** What the registry has of the Client; change it as a test needs. */
  readonly shop: Record<string, unknown>;
  readonly states: readonly FeedState[];
  /** The open feed of changes. */
  readonly feed: () => ServerResponse;
  stop(): Promise<void>;
}

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

export async function startShopProvider(more: Pick<Configuration, 'pkce'> = {}): Promise<ShopProvider> {
  const shop: Record<string, unknown> = { ...SHOP };
  const states: FeedState[] = [];
  let feed: ServerResponse;
  const answer: Answer = (request, response) => {
    const json = { 'content-type': 'application/json' };
    if (request.url === '/clients/changes') {
      feed = response.writeHead(200, { 'content-type': 'text/event-stream' });
      feed.write('retry: 10\nid: 1\n\n');
    } else if (request.url === '/client/shop') {
      response.writeHead(200, { ...json, etag: '"1"' }).end(JSON.stringify(shop));
    } else if (request.url === '/client/shop/check/secret') {
      const valid = registry.bodies.at(-1) === JSON.stringify({ client_secret: SECRET });
      response.writeHead(200, json).end(JSON.stringify({ valid }));
    } else response.writeHead(404, { 'content-type': 'application/problem+json' }).end('{}');
  };
  const registry = await startFakeRegistry(answer);
  const clients = new RegistryClients({
    url: registry.url,
    token: 'a-token',
    onFeed: (state) => void states.push(state),
  });
  const configuration = clients.configure({
    adapter: EmptyStore,
    cookies: { keys: ['for tests only'] },
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] },
    features: { devInteractions: { enabled: false } },
    extraClientMetadata: { properties: ['cookie_name'] },
    clients: [
      {
        client_id: 'static',
        client_secret: 'a secret of its own',
        redirect_uris: ['https://static.example/cb'],
      },
    ],
    ...more,
  });
  return {
    provider: new Provider('https://issuer.example', configuration),
    ...{ clients, registry, shop, states, feed: () => feed },
    stop: async () => {
      await clients.close();
      await registry.stop();
    },
  };
}
