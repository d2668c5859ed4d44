import fc from 'fast-check';
import { DEFAULT_CAPABILITIES } from '../fields/capabilities.js';
import type { ClientMetadata } from '../fields/client-metadata.js';
import { type RequestParameters, validateAuthorizationRequest } from '../requests/authorization-request.js';
import { reportedUse } from './reported-use.js';
import { requestUse } from './request-use.js';
import { uriOrigin } from './uri-origin.js';

const CALLBACK = 'https://shop.example/cb';
const S256 = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

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

const useOf = (request: RequestParameters, overrides: Partial<ClientMetadata> = {}) => {
  const client = metadata(overrides);
  const validation = validateAuthorizationRequest(request, 'shop', client, DEFAULT_CAPABILITIES);
  return requestUse(request, validation, client, DEFAULT_CAPABILITIES);
};

const CODE = { response_type: 'code' };
const REST = { kind: 'request', pkce: 'none', response_type: 'code' };

test.each<[string, RequestParameters, Partial<ClientMetadata>, object]>([
  ['an exact match', { redirect_uri: CALLBACK }, {}, { redirect_uri: CALLBACK, match: 'exact' }],
  ['no redirect URI', {}, {}, { redirect_uri: CALLBACK, match: 'implied' }],
  [
    'a loopback port',
    { redirect_uri: 'http://127.0.0.1:4711/cb' },
    { redirect_uris: ['http://127.0.0.1/cb'], application_type: 'native' },
    { redirect_uri: 'http://127.0.0.1/cb', match: 'loopback_port' },
  ],
  [
    'a longer URI under prefix_match',
    { redirect_uri: `${CALLBACK}/ann?ann` },
    { redirect_uri_validation_method: 'prefix_match' },
    { redirect_uri: CALLBACK, match: 'prefix' },
  ],
  [
    'a registered URI under prefix_match',
    { redirect_uri: `${CALLBACK}/x` },
    { redirect_uri_validation_method: 'prefix_match', redirect_uris: [CALLBACK, `${CALLBACK}/x`] },
    { redirect_uri: `${CALLBACK}/x`, match: 'exact' },
  ],
  [
    'any URI under none',
    { redirect_uri: 'https://any.example/ann' },
    { redirect_uri_validation_method: 'none' },
    { match: 'unchecked', origin: 'https://any.example', is_clean: true },
  ],
  [
    'a URI under none that prefix_match refuses',
    { redirect_uri: 'https://ann@any.example/ann' },
    { redirect_uri_validation_method: 'none' },
    { match: 'unchecked', origin: 'https://any.example', is_clean: false },
  ],
  [
    'a near miss',
    { redirect_uri: `${CALLBACK}/` },
    {},
    {
      refusal: 'no_match',
      redirect_uri: CALLBACK,
      origin: 'https://shop.example',
      difference: 'a slash at the end',
    },
  ],
])('%s', (_case, request, overrides, expected) => {
  expect(useOf({ ...CODE, ...request }, overrides)).toEqual({ ...REST, ...expected });
});

test('PKCE methods and response types are known words', () => {
  const challenge = { ...CODE, redirect_uri: CALLBACK, code_challenge: S256 };
  const pkce = (method?: string) =>
    useOf({ ...challenge, ...(method !== undefined && { code_challenge_method: method }) }).pkce;
  expect([pkce(), pkce('plain'), pkce('S256'), pkce('ann')]).toEqual(['plain', 'plain', 'S256', 'other']);
  const type = (text: string) => useOf({ redirect_uri: CALLBACK, response_type: text }).response_type;
  expect([type('code'), type(''), type('ann')]).toEqual(['code', 'missing', 'other']);
});

test.each([
  ['https://ann:pw@shop.example:8443/ann?ann#ann', 'https://shop.example:8443'],
  ['https://[::1]:1/x', 'https://[::1]:1'],
  ['com.example.app:/ann', 'com.example.app:'],
  ['mailto:ann@shop.example', 'mailto:'],
  ['/ann', 'invalid'],
  ['https://bücher.example/', 'invalid'],
  [`https://${'a'.repeat(400)}/`, 'invalid'],
  ['https://a b/', 'invalid'],
])('the origin of %s is %s', (uri, origin) => {
  expect(uriOrigin(uri)).toBe(origin);
});

test('nothing of a path, query, fragment or user is kept, however the request is made and reported', () => {
  const part = fc.constantFrom(
    '/ann',
    '?ann',
    '#ann',
    'ann@',
    ':ann',
    '\\ann',
    '/%61nn',
    ' ann',
    '//ann',
    '\0ann',
  );
  const start = fc.constantFrom(
    'https://',
    'https://shop.example',
    'http:',
    'x:',
    '',
    'https://shop.example/cb',
  );
  const uri = fc.tuple(start, fc.array(part, { maxLength: 4 })).map(([a, b]) => a + b.join(''));
  const method = fc.constantFrom('full_match' as const, 'prefix_match' as const, 'none' as const);
  fc.assert(
    fc.property(uri, method, (redirect_uri, redirect_uri_validation_method) => {
      const client = metadata({ redirect_uri_validation_method });
      const use = useOf({ ...CODE, redirect_uri }, client);
      const reported = reportedUse(
        { ...use, redirect_uri, origin: redirect_uri },
        client,
        DEFAULT_CAPABILITIES,
      );
      for (const { origin = 'invalid', redirect_uri: kept = CALLBACK } of [use, reported]) {
        expect(kept).toBe(CALLBACK);
        // A host may be named like a user: `https://ann`.
        expect(origin).toMatch(/^(invalid|[a-z]+:(\/\/[^/?#@\\]*)?)$/);
      }
    }),
    { numRuns: 1_000 },
  );
});

test('a reported use of the registry’s own making stays as it is, whatever was refused', () => {
  const text = fc.constantFrom(
    'x',
    '',
    'code',
    'plain',
    'S256',
    S256,
    '\0',
    '\ud800',
    CALLBACK,
    `${CALLBACK}/`,
  );
  const ends = ['', '?code=1', '#', '/../x', '[', '%0a', '%', '\\', ' ', 'ü', '<', '*', '@', ':99999'];
  const scheme = fc.constantFrom('https://shop.example', 'https://', 'javascript:', '//', CALLBACK);
  const uri = fc.tuple(scheme, fc.constantFrom(...ends)).map((parts) => parts.join(''));
  const value = fc.oneof(text, uri, fc.array(text, { minLength: 2, maxLength: 2 }));
  const names = ['client_id', 'redirect_uri', 'response_type', 'code_challenge', 'code_challenge_method'];
  const request = fc.dictionary(fc.constantFrom(...names, 'state', '__proto__'), value);
  const overrides = fc.record({
    redirect_uri_validation_method: fc.constantFrom('full_match', 'prefix_match', 'none'),
    redirect_uris: fc.constantFrom([CALLBACK], [], [CALLBACK, 'https://shop.example/2']),
    code_challenge_method: fc.constantFrom('none', 'plain', 'S256'),
  });
  const rules = new Set<string>();
  fc.assert(
    fc.property(request, overrides, (sent, changed) => {
      const client = metadata(changed as Partial<ClientMetadata>);
      const { errors } = validateAuthorizationRequest(sent, 'shop', client, DEFAULT_CAPABILITIES);
      const refusals = errors.map(({ rule }) => rule);
      for (const rule of refusals) rules.add(rule);
      const reported = refusals.map((refusal) => {
        const use = { kind: 'request', pkce: 'none', response_type: 'code', refusal } as const;
        return reportedUse(use, client, DEFAULT_CAPABILITIES).refusal;
      });
      expect(reported).toEqual(refusals);
    }),
    { numRuns: 3_000 },
  );
  expect(rules.size).toBeGreaterThan(20);
  for (const sent of [
    { redirect_uri: CALLBACK },
    {},
    { redirect_uri: `${CALLBACK}/` },
    { redirect_uri: 'x' },
  ]) {
    const use = useOf({ ...CODE, ...sent });
    expect(reportedUse(use, metadata(), DEFAULT_CAPABILITIES)).toEqual(use);
  }
});

test('a reported refusal is a known word', () => {
  const use = { kind: 'request', pkce: 'none', response_type: 'code', refusal: 'ann' } as const;
  expect(reportedUse(use, metadata(), DEFAULT_CAPABILITIES).refusal).toBe('other');
});
