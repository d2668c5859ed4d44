import { extendCapabilities } from '../fields/capabilities.js';
import { validateRegistration } from './validate-request.js';

const CB = 'https://app.example.com/cb';
const WIDE = extendCapabilities({
  application_type: ['native'],
  response_types: ['token', 'id_token', 'code id_token', 'code id_token token'],
  grant_types: ['refresh_token', 'client_credentials', 'implicit', 'password'],
  token_endpoint_auth_method: ['client_secret_basic', 'client_secret_post'],
});

const problemsOf = (more: object) => {
  const result = validateRegistration({ client_name: 'App', redirect_uris: [CB], ...more }, WIDE);
  return result.valid ? [] : result.violations.map(({ field, code }) => `${field} ${code}`);
};

test('native Clients may have private-use schemes, and only they', () => {
  const redirect_uris = ['com.example.app:/cb', 'http://127.0.0.1/cb'];
  expect(problemsOf({ application_type: 'native', redirect_uris })).toEqual([]);
  expect(problemsOf({ redirect_uris })).toEqual(['/redirect_uris/0 uri_scheme_of_web_client']);
  expect(problemsOf({ application_type: null, redirect_uris })).toEqual([
    '/redirect_uris/0 uri_scheme_of_web_client',
  ]);
});

test.each<[string, string[], string[], string[]]>([
  ['code', ['code'], ['authorization_code'], []],
  ['code with refresh tokens', ['code'], ['authorization_code', 'refresh_token'], []],
  ['code without its grant', ['code'], ['refresh_token'], ['/response_types/0 response_type_without_grant']],
  ['the grant without code', [], ['authorization_code'], ['/grant_types/0 grant_without_response_type']],
  ['implicit', ['token'], ['implicit'], []],
  ['an id_token', ['id_token'], ['implicit'], []],
  [
    'token without its grant',
    ['code', 'token'],
    ['authorization_code'],
    ['/response_types/1 response_type_without_grant'],
  ],
  [
    'implicit without its response type',
    ['code'],
    ['authorization_code', 'implicit'],
    ['/grant_types/1 grant_without_response_type'],
  ],
  ['hybrid', ['code id_token'], ['authorization_code', 'implicit'], []],
  ['hybrid in another order', ['id_token code'], ['implicit', 'authorization_code'], []],
  ['hybrid of three in another order', ['token id_token code'], ['implicit', 'authorization_code'], []],
  [
    'hybrid without implicit',
    ['code id_token'],
    ['authorization_code'],
    ['/response_types/0 response_type_without_grant'],
  ],
  ['hybrid without code', ['code id_token'], ['implicit'], ['/response_types/0 response_type_without_grant']],
  ['no response type', [], ['refresh_token'], []],
  [
    'the same words twice',
    ['id_token code', 'code id_token'],
    ['authorization_code', 'implicit'],
    ['/response_types/1 duplicate'],
  ],
  ['words that repeat', ['code code'], ['authorization_code'], ['/response_types/0 value_not_supported']],
])('response types and grant types must agree: %s', (_case, response_types, grant_types, violations) => {
  expect(problemsOf({ response_types, grant_types })).toEqual(violations);
});

test('the message names what is missing', () => {
  const result = validateRegistration(
    {
      client_name: 'App',
      redirect_uris: [CB],
      response_types: ['code id_token'],
      grant_types: ['refresh_token'],
    },
    WIDE,
  );
  expect(result).toMatchObject({
    violations: [
      {
        message:
          "response type 'code id_token' needs authorization_code and implicit in grant_types (RFC 7591 section 2.1)",
      },
    ],
  });
  const grants = {
    client_name: 'App',
    redirect_uris: [CB],
    response_types: [],
    grant_types: ['implicit', 'authorization_code'],
  };
  expect(validateRegistration(grants, WIDE)).toMatchObject({
    violations: [
      { message: "grant type 'implicit' needs a response type such as token (RFC 7591 section 2.1)" },
      {
        message: "grant type 'authorization_code' needs a response type such as code (RFC 7591 section 2.1)",
      },
    ],
  });
});

test('omitted fields are validated with their defaults', () => {
  expect(problemsOf({ grant_types: ['refresh_token'] })).toEqual([
    '/response_types/0 response_type_without_grant',
  ]);
  expect(problemsOf({ response_types: [] })).toEqual(['/grant_types/0 grant_without_response_type']);
});

test('client_credentials needs a secret', () => {
  const service = { grant_types: ['client_credentials'], response_types: [] };
  expect(problemsOf(service)).toEqual([
    '/token_endpoint_auth_method client_credentials_without_authentication',
  ]);
  expect(problemsOf({ ...service, token_endpoint_auth_method: 'client_secret_post' })).toEqual([]);
});

test('a web Client with the implicit grant needs https and no localhost', () => {
  const redirect_uris = ['http://127.0.0.1/cb', 'https://localhost/cb', 'https://LOCALHOST/cb', CB];
  const implicit = { grant_types: ['implicit'], response_types: ['token'], redirect_uris };
  expect(problemsOf(implicit)).toEqual([
    '/redirect_uris/0 implicit_needs_https',
    '/redirect_uris/1 implicit_needs_https',
    '/redirect_uris/2 implicit_needs_https',
  ]);
  expect(problemsOf({ ...implicit, application_type: 'native' })).toEqual([]);
  expect(problemsOf({ redirect_uris })).toEqual([]);
});

test('a rule between fields is skipped while one of the fields is invalid', () => {
  expect(problemsOf({ grant_types: ['client_credentials'], response_types: 'none' })).toEqual([
    '/response_types type',
    '/token_endpoint_auth_method client_credentials_without_authentication',
  ]);
});

test.each<[object, string, string, string]>([
  [
    { grant_types: ['client_credentials'], response_types: [] },
    '/token_endpoint_auth_method',
    'client_credentials_without_authentication',
    'token_endpoint_auth_method must not be none with grant type client_credentials (RFC 6749 section 4.4)',
  ],
  [
    { grant_types: ['implicit'], response_types: ['token'], redirect_uris: ['https://localhost/cb'] },
    '/redirect_uris/0',
    'implicit_needs_https',
    "'https://localhost/cb' must be https and not localhost for a web client with the implicit grant (OpenID Connect Registration section 2)",
  ],
])('%j is reported with field and reason', (more, field, code, message) => {
  expect(validateRegistration({ client_name: 'App', redirect_uris: [CB], ...more }, WIDE)).toMatchObject({
    violations: [{ field, code, message }],
  });
});

test.each<[string, string[], string[], string[]]>([
  ['client_credentials', ['client_credentials'], [], []],
  ['password and refresh tokens', ['password', 'refresh_token'], [], []],
  ['the code grant', ['client_credentials', 'authorization_code'], ['code'], ['/redirect_uris too_few']],
  ['the implicit grant', ['implicit'], ['token'], ['/redirect_uris too_few']],
])('without a redirect URI: %s', (_case, grant_types, response_types, expected) => {
  const more = { redirect_uris: [], token_endpoint_auth_method: 'client_secret_basic' };
  expect(problemsOf({ ...more, grant_types, response_types })).toEqual(expected);
});

test('redirect_uris is required, even if empty', () => {
  const more = { grant_types: ['password'], response_types: [], redirect_uris: null };
  expect(problemsOf(more)).toEqual(['/redirect_uris required']);
});
