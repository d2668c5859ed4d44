import {
  allowedValues,
  DEFAULT_CAPABILITIES,
  extendCapabilities,
  isSupported,
  supportedFields,
} from './capabilities.js';
import { CLIENT_FIELDS } from './client-fields.js';

test("the default capabilities are the specification's", () => {
  expect(DEFAULT_CAPABILITIES).toEqual({
    application_type: ['web'],
    response_types: ['code'],
    grant_types: ['authorization_code'],
    token_endpoint_auth_method: ['none'],
    optional_fields: [],
    languages: [],
    http_redirect_hosts: [],
  });
});

test("configuration adds to the specification's values and never takes one away", () => {
  const capabilities = extendCapabilities({
    application_type: ['native'],
    grant_types: ['refresh_token', 'authorization_code'],
    token_endpoint_auth_method: [],
    http_redirect_hosts: ['App.Internal'],
    default_cookie_domain: 'example.com',
  });
  expect(capabilities).toEqual({
    application_type: ['web', 'native'],
    response_types: ['code'],
    grant_types: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_method: ['none'],
    optional_fields: [],
    languages: [],
    http_redirect_hosts: ['app.internal'],
    default_cookie_domain: 'example.com',
  });
});

test('an invalid configuration names each violation', () => {
  const extend = () =>
    extendCapabilities({
      application_type: ['desktop'],
      token_endpoint_auth_method: ['client_secret_jwt'],
      http_redirect_hosts: ['*.internal', 'a.internal:80'],
      default_cookie_domain: 'com',
    });
  expect(extend).toThrow(RangeError);
  expect(extend).toThrow(
    /application_type: 'desktop'.*'client_secret_jwt' is not one of none, client_secret_basic/,
  );
  expect(extend).toThrow(
    /'\*\.internal' is not a host.*'a\.internal:80' is not a host.*default_cookie_domain: 'com'/,
  );
});

test('an unset value extends nothing', () => {
  expect(extendCapabilities({ grant_types: undefined, default_cookie_domain: undefined })).toStrictEqual(
    DEFAULT_CAPABILITIES,
  );
});

test('allowed values include the extensions', () => {
  const capabilities = extendCapabilities({ application_type: ['native'] });
  const of = (name: string) =>
    CLIENT_FIELDS.filter((field) => field.name === name).map((field) => allowedValues(field, capabilities));
  expect(of('application_type')).toEqual([['web', 'native']]);
  expect(of('code_challenge_method')).toEqual([['none', 'plain', 'S256']]);
  expect(of('client_name')).toEqual([undefined]);
});

test('optional fields are supported if configuration lists them, and languages of the fields that users see', () => {
  const capabilities = extendCapabilities({
    optional_fields: ['logo_uri', 'jwks', 'jwks'],
    languages: ['de', 'zh-Hant'],
  });
  const names = supportedFields(capabilities).map(({ name }) => name);
  expect(
    names.filter((name) => name.includes('logo') || name.includes('jwks') || name.includes('#')),
  ).toEqual([
    'client_name#de',
    'client_name#zh-Hant',
    'client_uri#de',
    'client_uri#zh-Hant',
    'logo_uri',
    'logo_uri#de',
    'logo_uri#zh-Hant',
    'jwks',
  ]);
  const asked = ['jwks', 'scope', 'client_name#de', 'client_name#fr', 'tos_uri#de', 'client_name'];
  expect(asked.map((name) => isSupported(name, capabilities))).toEqual([
    true,
    false,
    true,
    false,
    false,
    true,
  ]);
});

test('an unknown optional field and a language in another spelling are named', () => {
  expect(() => extendCapabilities({ optional_fields: ['software_id'] })).toThrow(
    /optional_fields: 'software_id' is not one of logo_uri, /,
  );
  for (const language of ['DE', 'de_AT', 'x', 'de#fr', '', 'zh-hant'])
    expect(() => extendCapabilities({ languages: [language] })).toThrow(/is not a language tag/);
});
