import { DEFAULT_CAPABILITIES, extendCapabilities } from '../fields/capabilities.js';
import type { ClientMetadata } from '../fields/client-metadata.js';
import { type RequestParameters, validateAuthorizationRequest } from './authorization-request.js';

const CALLBACK = 'https://shop.example/cb';

const metadata = (overrides: Partial<ClientMetadata> = {}): ClientMetadata => ({
  client_name: 'Shop',
  redirect_uris: [CALLBACK],
  application_type: 'web',
  response_types: ['code'],
  grant_types: ['authorization_code'],
  token_endpoint_auth_method: 'none',
  code_challenge_method: 'none',
  redirect_uri_validation_method: 'full_match',
  ...overrides,
});

const validated = (
  request: RequestParameters,
  overrides: Partial<ClientMetadata> = {},
  capabilities = DEFAULT_CAPABILITIES,
) => validateAuthorizationRequest(request, 'shop', metadata(overrides), capabilities);

const GOOD = { response_type: 'code', redirect_uri: CALLBACK };

test('a request that matches the registration is valid', () => {
  expect(validated(GOOD)).toEqual({
    valid: true,
    errors: [],
    redirect_uri: CALLBACK,
    redirect_uri_match: expect.objectContaining({ matches: true, rule: 'exact' }),
  });
});

test('an unregistered redirect URI must not be redirected to, whatever else is wrong', () => {
  const verdict = validated({ response_type: 'token', redirect_uri: 'https://evil.example/' });
  expect(verdict.valid).toBe(false);
  expect(verdict.redirect_uri).toBeUndefined();
  expect(verdict.errors).toEqual([
    {
      error: 'invalid_request',
      rule: 'no_match',
      error_description: expect.any(String),
      must_not_redirect: true,
    },
    {
      error: 'unsupported_response_type',
      rule: 'response_type_unsupported',
      error_description: expect.any(String),
    },
  ]);
});

test('without a redirect URI, the only registered one is used', () => {
  const verdict = validated({ response_type: 'code' });
  expect(verdict).toEqual({ valid: true, errors: [], redirect_uri: CALLBACK });
});

test.each<[string, Partial<ClientMetadata>]>([
  ['of several', { redirect_uris: [CALLBACK, `${CALLBACK}2`] }],
  ['that is a prefix', { redirect_uri_validation_method: 'prefix_match' }],
  ['that is not checked', { redirect_uri_validation_method: 'none' }],
])('a redirect URI %s must be in the request', (_case, overrides) => {
  const verdict = validated({ response_type: 'code' }, overrides);
  expect(verdict.redirect_uri).toBeUndefined();
  expect(verdict.errors).toEqual([
    expect.objectContaining({ error: 'invalid_request', must_not_redirect: true }),
  ]);
});

test('the method of the Client decides how redirect URIs are compared', () => {
  const request = { ...GOOD, redirect_uri: `${CALLBACK}/deeper` };
  expect(validated(request).valid).toBe(false);
  expect(validated(request, { redirect_uri_validation_method: 'prefix_match' }).valid).toBe(true);
  const loopback = { ...GOOD, redirect_uri: 'http://127.0.0.1:51000/cb' };
  const native = { redirect_uris: ['http://127.0.0.1/cb'] };
  expect(validated(loopback, native).valid).toBe(false);
  expect(validated(loopback, { ...native, application_type: 'native' }).valid).toBe(true);
});

test('other errors of the request may be sent to the Client', () => {
  const verdict = validated({ redirect_uri: CALLBACK }, { code_challenge_method: 'S256' });
  expect(verdict.redirect_uri).toBe(CALLBACK);
  expect(verdict.errors.map(({ error, must_not_redirect: not }) => [error, not])).toEqual([
    ['invalid_request', undefined],
    ['invalid_request', undefined],
  ]);
});

test('a supported response type that the Client has not registered is unauthorized', () => {
  const capabilities = extendCapabilities({ response_types: ['code id_token'] });
  const request = { ...GOOD, response_type: 'id_token code' };
  expect(validated(request, {}, capabilities).errors).toEqual([
    expect.objectContaining({ error: 'unauthorized_client' }),
  ]);
  expect(validated(request, { response_types: ['code id_token'] }, capabilities).valid).toBe(true);
  expect(validated(request).errors).toEqual([
    expect.objectContaining({ error: 'unsupported_response_type' }),
  ]);
});

test.each(['', 'Code', 'code ', ' code', 'code code'])(
  'the response type %j is not code',
  (response_type) => {
    expect(validated({ ...GOOD, response_type }).valid).toBe(false);
  },
);

test('the client_id of the request must be the Client’s', () => {
  expect(validated({ ...GOOD, client_id: 'shop' }).valid).toBe(true);
  const verdict = validated({ ...GOOD, client_id: 'other' });
  expect(verdict.redirect_uri).toBeUndefined();
  expect(verdict.errors).toEqual([expect.objectContaining({ must_not_redirect: true })]);
});

test('a repeated parameter makes the request invalid, whether known or not', () => {
  expect(validated({ ...GOOD, nonce: ['a', 'b'] }).errors).toEqual([
    {
      error: 'invalid_request',
      rule: 'repeated_parameter',
      error_description: 'nonce is given more than once (RFC 6749 section 3.1)',
    },
  ]);
  const twice = validated({ ...GOOD, redirect_uri: [CALLBACK, 'https://evil.example/'] });
  expect(twice.redirect_uri).toBeUndefined();
  expect(twice.errors).toEqual([expect.objectContaining({ must_not_redirect: true })]);
  expect(validated({ ...GOOD, client_id: ['shop', 'other'] }).redirect_uri).toBeUndefined();
});

test('resource may be given more than once (RFC 8707 section 2), but must be sound', () => {
  const resource = ['https://api.example/', 'https://files.example/'];
  expect(validated({ ...GOOD, resource }).errors).toEqual([]);
  const unsound = validated({ ...GOOD, resource: [...resource, 'x\0'] });
  expect(unsound.errors).toEqual([expect.objectContaining({ rule: 'unsound_parameter' })]);
});

test('a parameter without a value counts as omitted (RFC 6749 section 3.1)', () => {
  const implied = validated({ ...GOOD, client_id: '', redirect_uri: '' });
  expect(implied).toEqual({ valid: true, errors: [], redirect_uri: CALLBACK });
  const rulesOf = (request: RequestParameters, overrides: Partial<ClientMetadata> = {}) =>
    validated(request, overrides).errors.map(({ rule }) => rule);
  expect(rulesOf({ ...GOOD, redirect_uri: '' }, { redirect_uri_validation_method: 'none' })).toEqual([
    'redirect_uri_missing',
  ]);
  const empty = { ...GOOD, code_challenge: '', code_challenge_method: '' };
  expect(rulesOf(empty)).toEqual([]);
  expect(rulesOf(empty, { code_challenge_method: 'S256' })).toEqual(['pkce_missing']);
  const challenge = { ...GOOD, code_challenge: 'x'.repeat(43), code_challenge_method: '' };
  expect(rulesOf(challenge, { code_challenge_method: 'plain' })).toEqual([]);
  expect(rulesOf(challenge, { code_challenge_method: 'S256' })).toEqual(['pkce_method_not_allowed']);
});

test('a parameter that is given twice is repeated, even without a value', () => {
  for (const name of ['redirect_uri', 'client_id', 'response_type', 'code_challenge', 'nonce']) {
    for (const values of [
      ['', ''],
      ['', 'x'],
    ]) {
      const { errors } = validated({ ...GOOD, [name]: values });
      expect(errors).toContainEqual(expect.objectContaining({ rule: 'repeated_parameter' }));
    }
  }
});

test.each<[string, string[]]>([
  ['code', ['pkce_missing']],
  ['code id_token', ['pkce_missing']],
  ['token code id_token', ['pkce_missing']],
  ['id_token', []],
  ['token', []],
  ['id_token token', []],
])('%s needs a code_challenge only if it includes code', (response_type, missing) => {
  const types = ['code', 'id_token', 'token', 'id_token token', 'code id_token', 'code id_token token'];
  const capabilities = extendCapabilities({ response_types: types });
  const overrides = { response_types: types, code_challenge_method: 'S256' } as const;
  const rulesOf = (request: RequestParameters) =>
    validated({ ...GOOD, response_type, ...request }, overrides, capabilities).errors.map(({ rule }) => rule);
  expect(rulesOf({})).toEqual(missing);
  const challenge = { code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' };
  expect(rulesOf(challenge)).toEqual([]);
  expect(rulesOf({ ...challenge, code_challenge: 'x' })).toEqual(['pkce_challenge_malformed']);
  expect(rulesOf({ ...challenge, code_challenge_method: 'plain' })).toEqual(['pkce_method_not_allowed']);
});

test('parameters that are not about the Client are ignored', () => {
  expect(validated({ ...GOOD, state: 'x', prompt: 'none', constructor: 'x', unknown: '' }).valid).toBe(true);
});

const FOREIGN = 'client_id belongs to another client';

test.each<[string, RequestParameters, string, string, string, boolean]>([
  [
    'a foreign client_id',
    { ...GOOD, client_id: 'other' },
    'invalid_request',
    'other_client_id',
    FOREIGN,
    true,
  ],
  [
    'a redirect_uri that is not registered',
    { ...GOOD, redirect_uri: 'https://evil.example/' },
    'invalid_request',
    'no_match',
    'redirect_uri does not match any registered URI (RFC 9700 section 4.1.3)',
    true,
  ],
  [
    'a redirect_uri given twice',
    { ...GOOD, redirect_uri: [CALLBACK, CALLBACK] },
    'invalid_request',
    'repeated_parameter',
    'redirect_uri is given more than once (RFC 6749 section 3.1)',
    true,
  ],
  [
    'no response_type',
    { redirect_uri: CALLBACK },
    'invalid_request',
    'response_type_missing',
    'response_type is missing (RFC 6749 section 3.1.1)',
    false,
  ],
  [
    'a response_type that the server does not know',
    { ...GOOD, response_type: 'token' },
    'unsupported_response_type',
    'response_type_unsupported',
    'the response_type is not supported here',
    false,
  ],
  [
    'a challenge that is none',
    { ...GOOD, code_challenge: 'x' },
    'invalid_request',
    'pkce_challenge_malformed',
    'the code_challenge is not 43 to 128 of the characters A-Z a-z 0-9 - . _ ~ (RFC 7636 section 4.2)',
    false,
  ],
])('%s is reported word for word', (_case, request, error, rule, error_description, isFatal) => {
  const expected = { error, rule, error_description, ...(isFatal && { must_not_redirect: true }) };
  expect(validated(request).errors).toEqual([expected]);
});

test('a missing redirect_uri is reported if several are registered', () => {
  expect(validated({ response_type: 'code' }, { redirect_uris: [CALLBACK, `${CALLBACK}2`] }).errors).toEqual([
    {
      error: 'invalid_request',
      rule: 'redirect_uri_missing',
      error_description:
        'redirect_uri is missing, and the client has no default; the request must contain it (RFC 6749 section 3.1.2.3)',
      must_not_redirect: true,
    },
  ]);
});

test('an unregistered response_type is reported, too', () => {
  const capabilities = extendCapabilities({ response_types: ['token'] });
  expect(validated({ ...GOOD, response_type: 'token' }, {}, capabilities).errors).toEqual([
    {
      error: 'unauthorized_client',
      rule: 'response_type_not_registered',
      error_description: 'the client is not registered for this response_type',
    },
  ]);
});
