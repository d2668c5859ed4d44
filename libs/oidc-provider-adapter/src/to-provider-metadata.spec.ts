import { CLIENT_FIELDS } from '@svc/client-metadata';
import type { ClientDocument } from './client-document.js';
import { secretPlaceholder } from './secret-placeholder.js';
import { toProviderMetadata } from './to-provider-metadata.js';

const SHOP: ClientDocument = {
  client_id: 'shop',
  client_name: 'Shop',
  client_id_issued_at: 1_790_000_000,
  client_secret_hint: 'abcd',
  client_secret_expires_at: 1,
  client_secrets: [{ hint: 'abcd' }],
  enabled: true,
  redirect_uris: ['https://shop.example/cb'],
  redirect_uri_validation_method: 'prefix_match',
  code_challenge_method: 'S256',
  application_type: 'web',
  token_endpoint_auth_method: 'none',
  cookie_name: 'SvcClient_X',
  created_at: '2026-09-21T14:13:20.042Z',
  updated_at: '2026-11-21T08:00:00.123Z',
  warnings: [],
};

test('oidc-provider gets a Client’s metadata, and nothing about its record', () => {
  expect(toProviderMetadata(SHOP)).toEqual({
    client_id: 'shop',
    client_name: 'Shop',
    client_id_issued_at: 1_790_000_000,
    redirect_uris: ['https://shop.example/cb'],
    redirect_uri_validation_method: 'prefix_match',
    code_challenge_method: 'S256',
    application_type: 'web',
    token_endpoint_auth_method: 'none',
    cookie_name: 'SvcClient_X',
    created_at: '2026-09-21T14:13:20.042Z',
  });
});

test('every settable field reaches oidc-provider, so a new field needs only a row in the table', () => {
  const editable = CLIENT_FIELDS.filter((field) => field.editable === 'always').map(({ name }) => name);
  const full = { ...SHOP, ...Object.fromEntries(editable.map((name) => [name, `a ${name}`])) };
  expect(Object.keys(toProviderMetadata(full))).toEqual(expect.arrayContaining(editable));
});

test.each(['client_secret_basic', 'client_secret_post'])(
  'a Client using %s has a stable placeholder for its secret',
  (token_endpoint_auth_method) => {
    const { client_secret: secret } = toProviderMetadata({ ...SHOP, token_endpoint_auth_method });
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(toProviderMetadata({ ...SHOP, token_endpoint_auth_method }).client_secret).toBe(secret);
  },
);

test('a Client with keys has no secret; its fields by language are passed on', () => {
  const client = {
    ...SHOP,
    token_endpoint_auth_method: 'private_key_jwt',
    jwks: { keys: [] },
    'client_name#de': 'Laden',
  };
  const metadata = toProviderMetadata(client);
  expect(metadata).toMatchObject({ jwks: { keys: [] }, 'client_name#de': 'Laden' });
  expect(metadata).not.toHaveProperty('client_secret');
});

test('placeholders differ between Clients', () => {
  expect(secretPlaceholder('shop')).not.toBe(secretPlaceholder('portal'));
});

test('a redirect URI that has expired does not reach oidc-provider', () => {
  const preview = 'https://preview.example/cb';
  const client: ClientDocument = {
    ...SHOP,
    redirect_uris: ['https://shop.example/cb', preview],
    temporary_redirect_uris: [{ redirect_uri: preview, expires_at: '2026-11-24T08:00:00.000Z' }],
  };
  const urisAt = (time: string) => toProviderMetadata(client, Date.parse(time)).redirect_uris;
  expect(urisAt('2026-11-24T07:59:59.999Z')).toEqual(client.redirect_uris);
  expect(urisAt('2026-11-24T08:00:00.000Z')).toEqual(['https://shop.example/cb']);
});
