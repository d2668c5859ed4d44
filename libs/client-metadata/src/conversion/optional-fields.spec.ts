import { CLIENT_FIELDS } from '../fields/client-fields.js';
import { extendCapabilities } from '../fields/capabilities.js';
import { convertClients } from './convert-clients.js';
import type { Product } from './products.js';

const KEY = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo', kid: 'a' };
const CAPABILITIES = extendCapabilities({
  grant_types: ['refresh_token', 'client_credentials'],
  token_endpoint_auth_method: ['client_secret_basic', 'client_secret_post', 'private_key_jwt'],
  optional_fields: CLIENT_FIELDS.filter(({ optional }) => optional).map(({ name }) => name),
  languages: ['de'],
});
const convertOne = (product: Product, client: object) => {
  const options = { capabilities: CAPABILITIES, newId: () => 'new-id' };
  const [converted] = convertClients(product, [client], options).clients;
  expect(converted?.violations).toEqual([]);
  return converted;
};
const REGISTERED = {
  logo_uri: 'https://a.example/logo',
  'client_name#de': 'Laden',
  tos_uri: 'https://a.example/tos',
  policy_uri: 'https://a.example/policy',
  scope: 'openid',
  jwks: { keys: [KEY] },
  token_endpoint_auth_method: 'private_key_jwt',
  token_endpoint_auth_signing_alg: 'EdDSA',
  post_logout_redirect_uris: ['https://a.example/bye'],
  backchannel_logout_uri: 'https://a.example/back',
  backchannel_logout_session_required: true,
  frontchannel_logout_uri: 'https://a.example/front',
  frontchannel_logout_session_required: true,
};
const BASE = { client_id: 'a', client_name: 'A', redirect_uris: ['https://a.example/cb'] };

test.each(['oidc-provider', 'hydra', 'seacat', 'csv'] as const)(
  '%s: all is imported by its name',
  (product) => {
    const converted = convertOne(product, { ...BASE, ...REGISTERED });
    expect(converted).toMatchObject({ declaration: REGISTERED, dropped: [], newSecret: false });
  },
);

test('a language that the registry does not support is dropped', () => {
  const converted = convertOne('oidc-provider', { ...BASE, 'client_name#fr': 'Boutique', 'colour#fr': 'x' });
  expect(converted?.dropped).toEqual([
    {
      field: 'client_name#fr',
      reason: 'the registry supports client_name#fr only if its configuration lists it',
    },
    { field: 'colour#fr', reason: 'not recognised by this importer' },
  ]);
});

test('Hydra’s table has keys and lists as text, and empty keys where there are none', () => {
  const row = {
    ...BASE,
    jwks: JSON.stringify({ keys: [KEY] }),
    post_logout_redirect_uris: 'https://a.example/1|https://a.example/2',
    backchannel_logout_session_required: 't',
    frontchannel_logout_session_required: 'f',
  };
  const converted = convertOne('hydra', row);
  expect(converted?.declaration).toMatchObject({
    jwks: { keys: [KEY] },
    post_logout_redirect_uris: ['https://a.example/1', 'https://a.example/2'],
    backchannel_logout_session_required: true,
  });
  expect(converted?.declaration).not.toHaveProperty('frontchannel_logout_session_required');
  for (const jwks of ['{}', { keys: null }, '', {}])
    expect(convertOne('hydra', { ...BASE, jwks })?.declaration).not.toHaveProperty('jwks');
});

test('Keycloak: keys, logout and pages are attributes', () => {
  const client = {
    clientId: 'a',
    clientAuthenticatorType: 'client-jwt',
    redirectUris: ['https://a.example/cb'],
    rootUrl: 'https://a.example',
    frontchannelLogout: true,
    attributes: {
      'use.jwks.url': 'true',
      'jwks.url': 'https://a.example/keys',
      'jwks.string': '{}',
      'token.endpoint.auth.signing.alg': 'ES256',
      'post.logout.redirect.uris': '+##/bye##https://*.a.example/',
      'backchannel.logout.url': 'https://a.example/back',
      'backchannel.logout.session.required': 'true',
      'frontchannel.logout.url': 'https://a.example/front',
      logoUri: 'https://a.example/logo',
      tosUri: 'https://a.example/tos',
      policyUri: '',
    },
  };
  const converted = convertOne('keycloak', client);
  expect(converted?.declaration).toMatchObject({
    token_endpoint_auth_method: 'private_key_jwt',
    token_endpoint_auth_signing_alg: 'ES256',
    jwks_uri: 'https://a.example/keys',
    post_logout_redirect_uris: ['https://a.example/cb', 'https://a.example/bye'],
    backchannel_logout_uri: 'https://a.example/back',
    backchannel_logout_session_required: true,
    frontchannel_logout_uri: 'https://a.example/front',
    logo_uri: 'https://a.example/logo',
    tos_uri: 'https://a.example/tos',
  });
  expect(converted?.dropped.map(({ field }) => field)).toEqual(['attributes.post.logout.redirect.uris/2']);
  const inline = { 'use.jwks.string': 'true', 'jwks.string': JSON.stringify({ keys: [KEY] }) };
  expect(convertOne('keycloak', { ...client, attributes: inline })?.declaration).toMatchObject({
    jwks: { keys: [KEY] },
  });
});

test('Auth0 and authentik: logout', () => {
  const auth0 = convertOne('auth0', {
    client_id: 'a',
    name: 'A',
    callbacks: ['https://a.example/cb'],
    logo_uri: 'https://a.example/logo',
    allowed_logout_urls: ['https://a.example/bye', 'https://*.a.example'],
    oidc_logout: { backchannel_logout_urls: ['https://a.example/back'] },
  });
  expect(auth0).toMatchObject({
    declaration: {
      logo_uri: 'https://a.example/logo',
      post_logout_redirect_uris: ['https://a.example/bye'],
      backchannel_logout_uri: 'https://a.example/back',
    },
    dropped: [{ field: 'allowed_logout_urls/1' }],
  });
  const provider = {
    ...{ client_type: 'public', client_id: 'a', name: 'A', logout_uri: 'https://a.example/out' },
    redirect_uris: [
      { matching_mode: 'strict', url: 'https://a.example/cb' },
      { matching_mode: 'strict', url: 'https://a.example/bye', redirect_uri_type: 'logout' },
    ],
  };
  expect(convertOne('authentik', provider)).toMatchObject({
    declaration: {
      redirect_uris: ['https://a.example/cb'],
      post_logout_redirect_uris: ['https://a.example/bye'],
      backchannel_logout_uri: 'https://a.example/out',
    },
    dropped: [],
  });
  const front = { ...provider, logout_method: 'frontchannel' };
  expect(convertOne('authentik', front)?.declaration).toMatchObject({
    frontchannel_logout_uri: 'https://a.example/out',
  });
});

test.each([
  ['backchannel', 'frontchannel_logout_uri', 'backchannel_logout_uri'],
  ['frontchannel_iframe', 'backchannel_logout_uri', 'frontchannel_logout_uri'],
])('authentik: where the field of %s logout is not supported, it is reported', (method, supported, field) => {
  const provider = {
    ...{ client_type: 'public', client_id: 'a', name: 'A', redirect_uris: 'https://a.example/cb' },
    ...{ logout_uri: 'https://a.example/out', logout_method: method },
  };
  const capabilities = extendCapabilities({ grant_types: ['refresh_token'], optional_fields: [supported] });
  const [client] = convertClients('authentik', [provider], { capabilities, newId: () => 'new' }).clients;
  expect(client?.dropped).toEqual([
    { field: 'logout_uri', reason: `the registry supports ${field} only if its configuration lists it` },
  ]);
  expect(client?.declaration).not.toHaveProperty(supported);
});
