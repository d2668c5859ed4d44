import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jest } from '@jest/globals';
import type { Page } from 'playwright-core';
import * as client from 'openid-client';
import { eventually, recordSecrets } from '@svc/test-servers';
import { startBrowser } from './support/browser.js';
import {
  type ClientLibrary,
  oauth4webapi,
  openidClientV5,
  openidClientV6,
} from './support/client-libraries.js';
import { signInByForm } from './support/sign-in-by-form.js';
import { Stage } from './support/stage.js';

jest.setTimeout(120_000);

let stage: Stage;
let browser: Awaited<ReturnType<typeof startBrowser>>;
let page: Page;
/** The redirect URI of these tests' Clients. */
let callback: string;
const application = createServer((_, response) => void response.end('back'));
beforeAll(async () => {
  application.listen(0, '127.0.0.1');
  [stage, browser] = await Promise.all([Stage.set(), startBrowser(), once(application, 'listening')]);
  callback = `http://127.0.0.1:${(application.address() as AddressInfo).port}/cb`;
});
afterAll(async () => {
  application.closeAllConnections();
  application.close();
  await browser.stop();
  await stage.strike();
});
beforeEach(async () => {
  await browser.context.clearCookies();
  page = await browser.context.newPage();
});
afterEach(async () => page.close());

const signIn = async (name: string) => {
  await page.getByLabel('Your name').fill(name);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Allow' }).click();
};

/** Registers like a developer, at the endpoint from the discovery document. */
const register = async (metadata: Partial<client.ClientMetadata>, auth: client.ClientAuth) => {
  const { token } = await stage.registry.mint(['clients:register']);
  const options = { initialAccessToken: token, execute: [client.allowInsecureRequests] };
  const configuration = await client.dynamicClientRegistration(
    new URL(stage.example.server),
    { client_name: 'A <b>bold</b> name', redirect_uris: [callback], ...metadata },
    auth,
    options,
  );
  recordSecrets(String(configuration.clientMetadata().client_secret));
  return configuration;
};

/** Starts an authorization request, up to the sign-in page. */
const begin = async (configuration: client.Configuration, parameters: Record<string, string> = {}) => {
  const verifier = client.randomPKCECodeVerifier();
  const state = client.randomState();
  const address = client.buildAuthorizationUrl(configuration, {
    redirect_uri: callback,
    scope: 'openid profile',
    state,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...parameters,
  });
  return { address, verifier, state };
};

/** Catches the browser's redirect back to the test's application. @returns its URL */
const comeBack = async (act: () => Promise<unknown>): Promise<URL> => {
  await Promise.all([page.waitForURL(`${callback}?*`), act()]);
  return new URL(page.url());
};

test('an application registered through POST /register signs users in, in a browser', async () => {
  await page.goto(stage.example.application);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByText('Example application asks who you are').waitFor();
  await signIn('Ada Lovelace');
  await page.getByRole('heading', { name: 'Hello, Ada Lovelace' }).waitFor();
  expect(page.url()).toBe(`${stage.example.application}/`);

  await eventually(async () => {
    const { clients } = await stage.registry.ask<{ clients: Record<string, unknown>[] }>(
      'GET',
      '/client?q=Example%20application',
    );
    expect(clients).toEqual([
      expect.objectContaining({
        redirect_uris: [`${stage.example.application}/callback`],
        token_endpoint_auth_method: 'client_secret_basic',
        // The registry itself has verified the secret.
        client_secrets: [expect.objectContaining({ last_used_at: expect.any(String) })],
      }),
    ]);
  });
});

test('a public Client gets tokens for its code once, and only with the right verifier', async () => {
  const configuration = await register({ token_endpoint_auth_method: 'none' }, client.None());
  const { address, verifier, state } = await begin(configuration);
  await page.goto(address.href);
  await page.getByText('A <b>bold</b> name asks who you are').waitFor();
  const answer = await comeBack(() => signIn('Grace Hopper'));
  const exchange = (pkceCodeVerifier: string) =>
    client.authorizationCodeGrant(configuration, answer, { pkceCodeVerifier, expectedState: state });
  await expect(exchange(client.randomPKCECodeVerifier())).rejects.toMatchObject({ error: 'invalid_grant' });
  const tokens = await exchange(verifier);
  expect(tokens.claims()).toMatchObject({
    sub: 'Grace Hopper',
    aud: configuration.clientMetadata().client_id,
  });
  expect(await client.fetchUserInfo(configuration, tokens.access_token, 'Grace Hopper')).toMatchObject({
    name: 'Grace Hopper',
  });
  await expect(exchange(verifier)).rejects.toMatchObject({ error: 'invalid_grant' });
});

test('without a PKCE challenge a Client that must use PKCE gets no code', async () => {
  const { client_id } = await stage.registry.register({
    token_endpoint_auth_method: 'client_secret_basic',
    code_challenge_method: 'S256',
  });
  const query = {
    client_id,
    response_type: 'code',
    scope: 'openid',
    redirect_uri: 'https://shop.example/cb',
  };
  const address = `${stage.example.server}/auth?${new URLSearchParams(query).toString()}`;
  const { status, headers } = await fetch(address, { redirect: 'manual' });
  expect([status, headers.get('location')]).toEqual([
    303,
    expect.stringMatching(/^https:\/\/shop\.example\/cb\?error=invalid_request.*PKCE/),
  ]);
});

test.each([
  ['full_match', ['https://shop.example/cb'], 'https://shop.example/cb/'],
  ['full_match', ['https://shop.example/cb'], 'https://evil.example/cb'],
  ['prefix_match', ['https://shop.example/app/'], 'https://shop.example/other'],
  ['prefix_match', ['https://shop.example/app/'], 'https://shop.example.evil/app/'],
  ['prefix_match', ['https://shop.example/app/'], 'https://shop.example/app/../open-redirect'],
  ['prefix_match', ['https://shop.example/app/'], 'https://shop.example/app/?code=stolen'],
  ['none', ['https://shop.example/'], 'javascript:alert(1)'],
])('%s of %j does not redirect to %s', async (method, redirect_uris, redirect_uri) => {
  const overrides = { redirect_uris, redirect_uri_validation_method: method };
  const { client_id } = await stage.registry.register(overrides);
  const { status, location, text } = await stage.authorize({ client_id, redirect_uri });
  expect([status, location]).toEqual([400, null]);
  expect(text).toContain('invalid_redirect_uri: redirect_uri did not match');
});

test.each([
  ['prefix_match', 'https://shop.example/app/deeper?tenant=1'],
  ['none', 'https://anywhere.example/'],
])('under %s users are redirected to %s', async (redirect_uri_validation_method, redirect_uri) => {
  const { client_id } = await stage.registry.register({
    redirect_uris: ['https://shop.example/app/'],
    redirect_uri_validation_method,
  });
  expect(await stage.authorize({ client_id, redirect_uri })).toMatchObject({
    status: 303,
    location: expect.stringMatching(/^\/interaction\//),
  });
  // Errors are redirected, too, since the redirect URI is valid.
  const { location } = await stage.authorize({ client_id, redirect_uri, prompt: 'none' });
  expect(
    location?.startsWith(`${redirect_uri}${redirect_uri.includes('?') ? '&' : '?'}error=login_required`),
  ).toBe(true);
});

test.each(['features', '.', '..', 'no such client', 'ä', 'x'.repeat(300)])(
  'there is no Client %j',
  async (client_id) => {
    const { status, location, text } = await stage.authorize({ client_id });
    expect([status, location]).toEqual([400, null]);
    expect(text).toContain('invalid_client');
  },
);

test('a client_id of any characters that the registry allows is found', async () => {
  const { client_id } = await stage.registry.register({ preferred_client_id: 'a/b c%2F?d#e' });
  expect((await stage.authorize({ client_id })).status).toBe(303);
});

/** No browser follows the redirect to it. */
const UNSERVED = 'http://127.0.0.1:9/cb';

const LIBRARIES: readonly [string, ClientLibrary][] = [
  ['openid-client 5', openidClientV5],
  ['openid-client 6', openidClientV6],
  ['oauth4webapi', oauth4webapi],
];

const METHODS = ['none', 'client_secret_basic', 'client_secret_post'];

test.each(LIBRARIES.flatMap(([name, library]) => METHODS.map((method) => [name, method, library] as const)))(
  '%s registers with the method %s and signs in by authorization code and PKCE',
  async (_name, token_endpoint_auth_method, library) => {
    const { token } = await stage.registry.mint(['clients:register']);
    const registration = {
      client_name: 'Library',
      redirect_uris: [UNSERVED] as [string],
      token_endpoint_auth_method,
    };
    const { client: registered, subject } = await library(
      stage.example.server,
      token,
      registration,
      async (address) => signInByForm(address, UNSERVED),
    );
    expect(subject).toBe('Ada Lovelace');
    expect(registered).toMatchObject({ token_endpoint_auth_method });
    expect(Object.hasOwn(registered, 'client_secret')).toBe(token_endpoint_auth_method !== 'none');
    if (registered['client_secret'] !== undefined) recordSecrets(String(registered['client_secret']));
  },
);
