import { DEFAULT_CAPABILITIES, extendCapabilities } from '../fields/capabilities.js';
import { CLIENT_FIELDS } from '../fields/client-fields.js';
import { validateRegistration } from '../validation/validate-request.js';
import { supportedFeatures } from './supported-features.js';

const WIDE = extendCapabilities({
  application_type: ['native'],
  grant_types: ['client_credentials'],
  token_endpoint_auth_method: ['client_secret_basic'],
  http_redirect_hosts: ['app.internal'],
  default_cookie_domain: 'example.com',
});

const features = supportedFeatures(DEFAULT_CAPABILITIES);

test('every field is listed, in table order, unless configuration would have to switch it on', () => {
  const usual = CLIENT_FIELDS.filter(({ optional }) => !optional);
  expect(features.fields.map(({ name }) => name)).toEqual(usual.map(({ name }) => name));
});

test('a field is described in full', () => {
  expect(features.fields.find(({ name }) => name === 'redirect_uris')).toEqual({
    name: 'redirect_uris',
    label: 'Redirect URIs',
    description:
      'Where the authorization server may redirect users, each with its full path. Empty only if no grant type redirects.',
    source: 'RFC 7591 section 2; RFC 6749 section 3.1.2',
    group: 'canonical',
    type: 'string[]',
    format: 'redirect-uri',
    required: true,
    editable: 'always',
    public: true,
    min_length: 1,
    max_length: 2048,
    min_items: 0,
    max_items: 100,
  });
  expect(features.fields.find(({ name }) => name === 'cookie_entry_uri')).toMatchObject({
    required: false,
    required_for: 'cookie-based authorization',
  });
});

test('allowed values and defaults are those of the running server', () => {
  const of = (name: string) => supportedFeatures(WIDE).fields.find((field) => field.name === name);
  expect(of('application_type')).toMatchObject({ allowed_values: ['web', 'native'], default: 'web' });
  expect(of('grant_types')).toMatchObject({ allowed_values: ['authorization_code', 'client_credentials'] });
  expect(of('cookie_domain')).toMatchObject({ default: 'example.com' });
  expect(features.fields.find(({ name }) => name === 'cookie_domain')).not.toHaveProperty('default');
});

test('the schemas name their dialect', () => {
  const dialect = { $schema: 'https://json-schema.org/draft/2020-12/schema' };
  expect(features.schemas).toMatchObject({ registration: dialect, update: dialect });
});

test('the limits are those of the table', () => {
  expect(supportedFeatures(WIDE).limits).toEqual({
    redirect_uris: 100,
    uri_length: 2048,
    session_expiration_seconds: { minimum: 1, maximum: 315_360_000 },
    http_redirect_hosts: ['app.internal'],
  });
});

test('each offered template is valid', () => {
  for (const capabilities of [DEFAULT_CAPABILITIES, WIDE]) {
    for (const { id, metadata } of supportedFeatures(capabilities).templates) {
      const result = validateRegistration(metadata, capabilities);
      expect([id, result.valid]).toEqual([id, true]);
      expect(result.warnings.filter(({ code }) => code !== 'plain_http_redirect_uri')).toEqual([]);
    }
  }
});

test('templates that need more than the server supports are not offered', () => {
  expect(features.templates.map(({ id }) => id)).toEqual(['web', 'spa', 'cookie', 'batman', 'anonymous']);
  expect(supportedFeatures(WIDE).templates.map(({ id }) => id)).toEqual([
    'web',
    'web-confidential',
    'spa',
    'native',
    'service',
    'cookie',
    'batman',
    'anonymous',
  ]);
});

test('the deliberate deviations are listed with the document they deviate from', () => {
  expect(features.deviations.map(({ subject, from }) => `${subject}: ${from}`)).toEqual([
    'redirect_uri_validation_method prefix_match: the specification',
    'redirect_uri_validation_method none: the specification',
    'preferred_client_id: the specification',
    'HTTP API: the specification',
    'redirect_uri_validation_method prefix_match, none: RFC 9700 section 2.1',
    'token_endpoint_auth_method: RFC 7591 section 2',
    'code_challenge_method: RFC 9700 section 2.1.1',
    'post_logout_redirect_uris, backchannel_logout_uri, frontchannel_logout_uri: OpenID Connect RP-Initiated Logout section 3.1, Back-Channel Logout section 2.2, Front-Channel Logout section 2',
  ]);
});

test('the answer is JSON', () => {
  expect(JSON.parse(JSON.stringify(features))).toEqual(features);
});
