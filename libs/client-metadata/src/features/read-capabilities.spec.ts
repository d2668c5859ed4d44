import { DEFAULT_CAPABILITIES, extendCapabilities } from '../fields/capabilities.js';
import { readCapabilities } from './read-capabilities.js';
import { supportedFeatures } from './supported-features.js';

test('a registry’s capabilities are read from its features', () => {
  const wide = extendCapabilities({
    application_type: ['native'],
    response_types: ['code id_token'],
    grant_types: ['refresh_token', 'implicit'],
    token_endpoint_auth_method: ['client_secret_basic'],
    optional_fields: ['logo_uri', 'jwks'],
    languages: ['de', 'cs'],
    http_redirect_hosts: ['app.internal'],
    default_cookie_domain: 'example.com',
  });
  for (const capabilities of [DEFAULT_CAPABILITIES, wide]) {
    const answer: unknown = JSON.parse(JSON.stringify(supportedFeatures(capabilities)));
    expect(readCapabilities(answer)).toEqual(capabilities);
  }
});

test.each([undefined, null, 'x', [], {}, { fields: {} }])('%p is not a features response', (answer) => {
  expect(() => readCapabilities(answer)).toThrow(/^not a GET \/client\/features response/);
});

test('unknown values are named', () => {
  const answer = { fields: [{ name: 'grant_types', allowed_values: ['authorization_code', 'urn:x'] }] };
  expect(() => readCapabilities(answer)).toThrow(/grant_types: 'urn:x'/);
});

test('properties of the wrong type count as absent', () => {
  const fields = [
    { name: 'grant_types', allowed_values: ['authorization_code', 7, null] },
    { name: 'cookie_domain', default: 7 },
  ];
  expect(readCapabilities({ fields, limits: 'none' })).toStrictEqual(DEFAULT_CAPABILITIES);
});

test('absent properties default to the specification', () => {
  expect(readCapabilities({ fields: [null, { name: 'grant_types', allowed_values: 'x' }] })).toEqual(
    DEFAULT_CAPABILITIES,
  );
});
