import { DEFAULT_CAPABILITIES, extendCapabilities } from '../fields/capabilities.js';
import { usesCookieAuthorization, warningsOf } from './client-warnings.js';
import { validateRegistration } from './validate-request.js';

const CB = 'https://app.example.com/cb';
const WIDE = extendCapabilities({
  application_type: ['native'],
  response_types: ['token'],
  grant_types: ['refresh_token', 'client_credentials', 'implicit', 'password'],
  token_endpoint_auth_method: ['client_secret_basic'],
  http_redirect_hosts: ['app.internal'],
  optional_fields: ['post_logout_redirect_uris', 'backchannel_logout_uri', 'frontchannel_logout_uri'],
  default_cookie_domain: 'example.com',
});

const validate = (more: object) =>
  validateRegistration(
    { client_name: 'App', redirect_uris: [CB], code_challenge_method: 'S256', ...more },
    WIDE,
  );

const warnings = (more: object) => {
  const result = validate(more);
  if (!result.valid) throw new Error(JSON.stringify(result.violations));
  return result.warnings.map(({ field, code }) => `${field} ${code}`);
};

const HTTP_LOGOUT = {
  post_logout_redirect_uris: ['https://app.example.com/', 'http://app.internal/'],
  backchannel_logout_uri: 'http://app.internal/logout',
};

test('a public Client with PKCE and exact redirect URIs has no warning', () => {
  expect(warnings({})).toEqual([]);
});

test.each<[string, object, string[]]>([
  [
    'prefix_match',
    { redirect_uri_validation_method: 'prefix_match', redirect_uris: ['https://app.example.com/'] },
    ['/redirect_uri_validation_method not_oauth_compliant'],
  ],
  [
    'none',
    { redirect_uri_validation_method: 'none' },
    ['/redirect_uri_validation_method not_oauth_compliant'],
  ],
  [
    'a prefix without a slash',
    {
      redirect_uri_validation_method: 'prefix_match',
      redirect_uris: [
        ...['https://a.example/', CB, 'https://b.example'],
        ...[`${CB}?a=1`, `${CB}?`, `${CB}?a=1&`, 'https://a.example/?a=/'],
      ],
    },
    [
      '/redirect_uri_validation_method not_oauth_compliant',
      '/redirect_uris/1 prefix_without_slash',
      '/redirect_uris/2 prefix_without_slash',
      '/redirect_uris/3 prefix_without_slash',
      '/redirect_uris/6 prefix_without_slash',
    ],
  ],
  ['no PKCE', { code_challenge_method: 'none' }, ['/code_challenge_method weak_pkce']],
  ['plain PKCE', { code_challenge_method: 'plain' }, ['/code_challenge_method weak_pkce']],
  [
    'no PKCE of a confidential Client',
    { code_challenge_method: 'none', token_endpoint_auth_method: 'client_secret_basic' },
    [],
  ],
  [
    'no PKCE without codes',
    { code_challenge_method: 'none', grant_types: ['refresh_token'], response_types: [] },
    [],
  ],
  [
    'plain http',
    { redirect_uris: [CB, 'http://localhost/cb', 'http://app.internal/cb'] },
    ['/redirect_uris/1 plain_http_redirect_uri', '/redirect_uris/2 plain_http_redirect_uri'],
  ],
  [
    'loopback http of a native Client',
    { application_type: 'native', redirect_uris: ['http://127.0.0.1/cb', 'http://[::1]/'] },
    [],
  ],
  [
    'localhost of a native Client',
    { application_type: 'native', redirect_uris: ['http://LOCALHOST/cb', 'https://localhost/'] },
    ['/redirect_uris/0 localhost_redirect_uri'],
  ],
  [
    'plain http of a native Client',
    { application_type: 'native', redirect_uris: ['http://app.internal/cb'] },
    ['/redirect_uris/0 plain_http_redirect_uri'],
  ],
  [
    'plain http for logout',
    HTTP_LOGOUT,
    ['/post_logout_redirect_uris/1 plain_http_logout_uri', '/backchannel_logout_uri plain_http_logout_uri'],
  ],
  [
    'plain http for logout of a confidential Client',
    { ...HTTP_LOGOUT, token_endpoint_auth_method: 'client_secret_basic' },
    [],
  ],
  [
    'plain http for front-channel logout',
    { redirect_uris: ['http://app.internal/cb'], frontchannel_logout_uri: 'http://app.internal/logout' },
    ['/redirect_uris/0 plain_http_redirect_uri', '/frontchannel_logout_uri plain_http_logout_uri'],
  ],
  [
    'loopback http for logout of a native Client',
    {
      application_type: 'native',
      post_logout_redirect_uris: ['http://127.0.0.1/', 'com.example.app:/out'],
    },
    [],
  ],
  [
    'a code in a redirect URI',
    { redirect_uris: [`${CB}?code=1`, `${CB}?zipcode=1`] },
    ['/redirect_uris/0 response_parameter_in_redirect_uri'],
  ],
  [
    'the implicit grant',
    { grant_types: ['implicit'], response_types: ['token'] },
    ['/grant_types/0 discouraged_grant'],
  ],
  [
    'the password grant',
    { grant_types: ['authorization_code', 'password'] },
    ['/grant_types/1 discouraged_grant'],
  ],
  [
    'a cookie webhook without entry',
    { cookie_webhook_uri: 'http://a/' },
    ['/cookie_entry_uri cookie_entry_missing'],
  ],
  [
    'a cookie domain without entry',
    { cookie_domain: 'app.example.com' },
    ['/cookie_entry_uri cookie_entry_missing'],
  ],
  ['the configured cookie domain', { cookie_domain: 'example.com' }, []],
  ['a cookie entry', { cookie_entry_uri: 'https://app.example.com/cookie' }, []],
  [
    'a cookie entry on a domain in capitals',
    { cookie_entry_uri: 'https://a.example.org/', cookie_domain: 'EXAMPLE.org' },
    [],
  ],
  ['a cookie entry on the domain itself', { cookie_entry_uri: 'https://EXAMPLE.com/cookie' }, []],
  [
    'a cookie entry elsewhere',
    { cookie_entry_uri: 'https://app.example.org/cookie' },
    ['/cookie_domain cookie_domain_mismatch'],
  ],
  [
    'a cookie entry on a longer name',
    { cookie_entry_uri: 'https://badexample.com/cookie' },
    ['/cookie_domain cookie_domain_mismatch'],
  ],
  [
    'a leading dot',
    { cookie_domain: '.app.example.com', cookie_entry_uri: 'https://app.example.com/' },
    ['/cookie_domain cookie_domain_dot'],
  ],
  [
    'anonymous users without credentials',
    { authorize_anonymous_users: true },
    ['/anonymous_cid anonymous_cid_missing'],
  ],
  ['anonymous users with credentials', { authorize_anonymous_users: true, anonymous_cid: 'x' }, []],
  ['no anonymous users', { authorize_anonymous_users: false }, []],
  ['a Latin name with a Cyrillic letter', { client_name: 'Pаypal' }, ['/client_name look_alike_name']],
  ['a name with a zero-width space', { client_name: 'Pay\u200bpal' }, ['/client_name invisible_character']],
])('%s', (_case, more, expected) => {
  expect(warnings(more)).toEqual(expected);
});

test.each<[string, object, string, string]>([
  [
    'not_oauth_compliant',
    { redirect_uri_validation_method: 'none' },
    '/redirect_uri_validation_method',
    'none is not OAuth 2.0 compliant (RFC 9700 section 2.1)',
  ],
  [
    'prefix_without_slash',
    { redirect_uri_validation_method: 'prefix_match' },
    '/redirect_uris/0',
    `'${CB}' does not end with / although it is a prefix: it also matches longer names, such as /cbx for /cb`,
  ],
  [
    'prefix_without_slash',
    { redirect_uri_validation_method: 'prefix_match', redirect_uris: [`${CB}?t=1`] },
    '/redirect_uris/0',
    `'${CB}?t=1' does not end with & although it is a prefix: it also matches longer values, such as ?t=12 for ?t=1`,
  ],
  [
    'plain_http_redirect_uri',
    { redirect_uris: ['http://app.internal/cb'] },
    '/redirect_uris/0',
    "'http://app.internal/cb' is plain http: anyone on the network path can read the code (RFC 9700 section 2.6)",
  ],
  [
    'plain_http_logout_uri',
    { backchannel_logout_uri: 'http://app.internal/logout' },
    '/backchannel_logout_uri',
    "'http://app.internal/logout' is plain http, which only confidential clients may use for logout (OpenID Connect Back-Channel Logout section 2.2)",
  ],
  [
    'localhost_redirect_uri',
    { application_type: 'native', redirect_uris: ['http://localhost/cb'] },
    '/redirect_uris/0',
    "'http://localhost/cb' uses localhost: 127.0.0.1 or [::1] is recommended, with any port (RFC 8252 section 8.3)",
  ],
  [
    'response_parameter_in_redirect_uri',
    { redirect_uris: [`${CB}?code=1`] },
    '/redirect_uris/0',
    `'${CB}?code=1' has an OAuth response parameter in its query, which would appear twice in the response (RFC 6749 section 3.1)`,
  ],
  [
    'weak_pkce',
    { code_challenge_method: 'plain' },
    '/code_challenge_method',
    'a public client should use code_challenge_method S256, not plain (RFC 9700 section 2.1.1)',
  ],
  [
    'discouraged_grant',
    { grant_types: ['implicit'], response_types: ['token'] },
    '/grant_types/0',
    'grant type implicit should no longer be used (RFC 9700 section 2.1.2)',
  ],
  [
    'discouraged_grant',
    { grant_types: ['authorization_code', 'password'] },
    '/grant_types/1',
    'grant type password should no longer be used (RFC 9700 section 2.4)',
  ],
  [
    'cookie_entry_missing',
    { cookie_domain: 'app.example.com' },
    '/cookie_entry_uri',
    'cookie_entry_uri is needed for cookie-based authorization',
  ],
  [
    'cookie_domain_mismatch',
    { cookie_entry_uri: 'https://App.example.org/cookie' },
    '/cookie_domain',
    'browsers reject a cookie for example.com from app.example.org (RFC 6265 section 5.3)',
  ],
  [
    'cookie_domain_dot',
    { cookie_domain: '.example.com', cookie_entry_uri: CB },
    '/cookie_domain',
    'the leading dot of cookie_domain is ignored by browsers (RFC 6265 section 5.2.3)',
  ],
  [
    'anonymous_cid_missing',
    { authorize_anonymous_users: true },
    '/anonymous_cid',
    'authorize_anonymous_users is on, but anonymous_cid names no credentials',
  ],
  [
    'look_alike_name',
    { client_name: 'Pаypal' },
    '/client_name',
    "client_name mixes alphabets that look alike: 'Pаypal' (UTS #39)",
  ],
  [
    'invisible_character',
    { client_name: 'Pay\u200bpal' },
    '/client_name',
    'client_name contains invisible characters: U+200B',
  ],
])('%s of %j says where, what the risk is and who says so', (code, more, field, message) => {
  expect(validate(more).warnings).toContainEqual({ field, code, message });
});

test('a Client with its own entry, webhook or domain uses cookies', () => {
  const uses = (more: object, capabilities = DEFAULT_CAPABILITIES) => {
    const result = validateRegistration({ client_name: 'App', redirect_uris: [CB], ...more }, capabilities);
    return result.valid && usesCookieAuthorization(result.metadata, capabilities);
  };
  expect(uses({})).toBe(false);
  expect(uses({ cookie_entry_uri: CB })).toBe(true);
  expect(uses({ cookie_webhook_uri: CB })).toBe(true);
  expect(uses({ cookie_domain: 'example.com' })).toBe(true);
  expect(uses({}, WIDE)).toBe(false);
  expect(uses({ cookie_domain: 'other.example' }, WIDE)).toBe(true);
});

test('a Client from before the default cookie domain uses no cookies for it', () => {
  const result = validateRegistration({ client_name: 'App', redirect_uris: [CB] }, DEFAULT_CAPABILITIES);
  if (!result.valid) throw new Error('it is valid');
  expect(usesCookieAuthorization(result.metadata, WIDE)).toBe(false);
});

test('the warnings of a stored Client can be computed at any time', () => {
  const result = validate({ redirect_uri_validation_method: 'none' });
  if (!result.valid) throw new Error('it is valid');
  expect(warningsOf(result.metadata, WIDE)).toEqual(result.warnings);
});
