import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as client from 'openid-client';
import { DATABASE_START_MS } from '../on-both-databases.js';
import { type RunningRegistry, runRegistry } from '../running-registry.js';

/** An authorization server that names the registry as its registration endpoint. */
let server: Server;
let issuer: URL;
let registry: RunningRegistry;
let initialAccessToken: string;

beforeAll(async () => {
  registry = await runRegistry({
    REGISTRATION: 'token',
    TOKEN_ENDPOINT_AUTH_METHODS: 'client_secret_post',
  });
  const { body } = await registry.ask('POST', '/token', {
    body: { name: 'i', scopes: ['clients:register'] },
  });
  initialAccessToken = String(body['token']);
  server = createServer((_request, response) => {
    const metadata = { issuer: issuer.origin, registration_endpoint: `${registry.url}/register` };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(metadata));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  issuer = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}, DATABASE_START_MS);

afterAll(async () => {
  server.close();
  await registry.close();
});

const METADATA = {
  client_name: 'Shop',
  redirect_uris: ['https://shop.example/cb'],
  token_endpoint_auth_method: 'client_secret_post',
};

const register = async (metadata: Partial<client.ClientMetadata>, token = initialAccessToken) =>
  client.dynamicClientRegistration(issuer, metadata, undefined, {
    initialAccessToken: token,
    algorithm: 'oauth2',
    execute: [client.allowInsecureRequests],
  });

test('openid-client registers, reads, changes and deletes a Client', async () => {
  const config = await register(METADATA);
  const made = config.clientMetadata();
  expect(made).toMatchObject({
    ...METADATA,
    client_id: expect.any(String),
    client_secret: expect.any(String),
  });

  const uri = new URL(String(made['registration_client_uri']));
  const token = String(made['registration_access_token']);
  const manage = async (method: string, body?: object) =>
    client.fetchProtectedResource(
      config,
      token,
      uri,
      method,
      body && JSON.stringify(body),
      new Headers(body && { 'content-type': 'application/json' }),
    );
  const read = await manage('GET');
  expect(await read.json()).toMatchObject({ ...METADATA, client_id: made.client_id });
  const changed = await manage('PUT', { ...METADATA, client_id: made.client_id, client_name: 'Store' });
  expect(await changed.json()).toMatchObject({ client_name: 'Store' });
  expect((await manage('DELETE')).status).toBe(204);
  await expect(manage('GET')).rejects.toMatchObject({ status: 401 });
});

test('openid-client understands why a registration is rejected', async () => {
  await expect(register({ ...METADATA, redirect_uris: ['http://shop.example/cb'] })).rejects.toMatchObject({
    error: 'invalid_redirect_uri',
    status: 400,
  });
  await expect(register({ ...METADATA, grant_types: ['password'] })).rejects.toMatchObject({
    error: 'invalid_client_metadata',
  });
  await expect(register(METADATA, 'wrong')).rejects.toMatchObject({ status: 401 });
});
