import { DEFAULT_CAPABILITIES } from '../fields/capabilities.js';
import { validateRegistration } from './validate-request.js';

const CB = 'https://app.example.com/cb';

const problemsOf = (more: object) => {
  const result = validateRegistration(
    { client_name: 'App', redirect_uris: [CB], ...more },
    DEFAULT_CAPABILITIES,
  );
  return result.valid ? [] : result.violations.map(({ field, code }) => `${field} ${code}`);
};

const LONG_URI = `https://app.example.com/${'x'.repeat(2024)}`;

test.each<[string, string, object]>([
  ['client_name', 'required', { client_name: undefined }],
  ['client_name', 'required', { client_name: null }],
  ['client_name', 'type', { client_name: 7 }],
  ['client_name', 'type', { client_name: ['App'] }],
  ['client_name', 'too_short', { client_name: '' }],
  ['client_name', 'too_short', { client_name: ' \t\n' }],
  ['client_name', 'too_long', { client_name: 'x'.repeat(256) }],
  ['client_name', 'too_long', { client_name: '😀'.repeat(256) }],
  ['client_name', 'nul_character', { client_name: 'a\0b' }],
  ['client_name', 'control_character', { client_name: 'a\nb' }],
  ['client_name', 'control_character', { client_name: 'a\x7fb' }],
  ['client_name', 'control_character', { client_name: 'a\x85b' }],
  ['client_name', 'control_character', { client_name: 'a\u2028b' }],
  ['client_name', 'bidi_character', { client_name: 'a\u202eb' }],
  ['client_name', 'bidi_character', { client_name: 'a\u2066b' }],
  ['client_name', 'bidi_character', { client_name: 'a\u200fb' }],
  ['client_name', 'bidi_character', { client_name: 'a\u061cb' }],
  ['client_name', 'lone_surrogate', { client_name: 'a\ud800b' }],
  ['client_name', 'lone_surrogate', { client_name: 'a\udc00b' }],
  ['client_name', 'blank', { client_name: '\u200b\u200b' }],
  ['client_name', 'blank', { client_name: '\u3164' }],
  ['client_uri', 'type', { client_uri: {} }],
  ['client_uri', 'too_short', { client_uri: '' }],
  ['client_uri', 'uri_scheme', { client_uri: 'javascript:alert(1)' }],
  ['client_uri', 'too_long', { client_uri: `${LONG_URI}x` }],
  ['redirect_uris', 'required', { redirect_uris: undefined }],
  ['redirect_uris', 'required', { redirect_uris: null }],
  ['redirect_uris', 'type', { redirect_uris: CB }],
  ['redirect_uris', 'type', { redirect_uris: { 0: CB } }],
  ['redirect_uris', 'too_few', { redirect_uris: [] }],
  ['redirect_uris', 'too_many', { redirect_uris: Array.from({ length: 101 }, (_, i) => `${CB}${i}`) }],
  ['redirect_uris/1', 'type', { redirect_uris: [CB, null] }],
  ['redirect_uris/1', 'duplicate', { redirect_uris: [CB, CB] }],
  ['redirect_uris/0', 'too_short', { redirect_uris: [''] }],
  ['redirect_uris/0', 'too_long', { redirect_uris: [`${LONG_URI}x`] }],
  ['redirect_uris/0', 'uri_control_character', { redirect_uris: [`${CB}\n`] }],
  ['redirect_uris/0', 'uri_fragment', { redirect_uris: [`${CB}#`] }],
  ['redirect_uris/0', 'uri_scheme_of_web_client', { redirect_uris: ['com.example.app:/cb'] }],
  ['application_type', 'value_not_supported', { application_type: 'native' }],
  ['application_type', 'value_not_supported', { application_type: 'WEB' }],
  ['application_type', 'type', { application_type: ['web'] }],
  ['response_types/0', 'value_not_supported', { response_types: ['token'] }],
  ['response_types/1', 'duplicate', { response_types: ['code', 'code'] }],
  ['response_types', 'too_many', { response_types: Array.from({ length: 17 }, String) }],
  ['response_types', 'type', { response_types: 'code' }],
  ['grant_types/0', 'value_not_supported', { grant_types: ['implicit'] }],
  ['grant_types', 'too_few', { grant_types: [] }],
  ['grant_types', 'too_many', { grant_types: Array.from({ length: 17 }, String) }],
  [
    'token_endpoint_auth_method',
    'value_not_supported',
    { token_endpoint_auth_method: 'client_secret_basic' },
  ],
  ['token_endpoint_auth_method', 'value_not_supported', { token_endpoint_auth_method: '' }],
  ['code_challenge_method', 'value_not_supported', { code_challenge_method: 's256' }],
  ['code_challenge_method', 'type', { code_challenge_method: true }],
  ['redirect_uri_validation_method', 'value_not_supported', { redirect_uri_validation_method: 'regex' }],
  ['preferred_client_id', 'too_short', { preferred_client_id: '' }],
  ['preferred_client_id', 'too_long', { preferred_client_id: 'x'.repeat(256) }],
  ['preferred_client_id', 'not_vschar', { preferred_client_id: 'é' }],
  ['preferred_client_id', 'control_character', { preferred_client_id: 'a\tb' }],
  ['preferred_client_id', 'nul_character', { preferred_client_id: 'a\0' }],
  ['preferred_client_id', 'reserved', { preferred_client_id: 'features' }],
  ['preferred_client_id', 'reserved', { preferred_client_id: '.' }],
  ['preferred_client_id', 'reserved', { preferred_client_id: '..' }],
  ['preferred_client_id', 'type', { preferred_client_id: 7 }],
  ['cookie_webhook_uri', 'uri_fragment', { cookie_webhook_uri: 'http://auth/#' }],
  ['cookie_webhook_uri', 'uri_userinfo', { cookie_webhook_uri: 'http://me@auth/' }],
  ['cookie_webhook_uri', 'uri_scheme', { cookie_webhook_uri: 'gopher://auth/' }],
  ['cookie_entry_uri', 'uri_not_absolute', { cookie_entry_uri: '/auth' }],
  ['cookie_domain', 'domain', { cookie_domain: 'com' }],
  ['cookie_domain', 'domain', { cookie_domain: 'https://example.com' }],
  ['cookie_domain', 'domain', { cookie_domain: '..example.com' }],
  ['cookie_domain', 'domain', { cookie_domain: `${'a.'.repeat(126)}bb` }],
  ['cookie_domain', 'too_long', { cookie_domain: `${'a.'.repeat(126)}bbb` }],
  ['cookie_domain', 'control_character', { cookie_domain: 'example.com\r\nSet-Cookie: x' }],
  ['authorize_uri', 'uri_fragment', { authorize_uri: 'https://login.example.com/#' }],
  ['login_uri', 'uri_scheme', { login_uri: 'data:text/html,x' }],
  ['authorize_anonymous_users', 'type', { authorize_anonymous_users: 'true' }],
  ['authorize_anonymous_users', 'type', { authorize_anonymous_users: 1 }],
  ['anonymous_cid', 'too_short', { anonymous_cid: '' }],
  ['anonymous_cid', 'too_long', { anonymous_cid: 'x'.repeat(256) }],
  ['anonymous_cid', 'nul_character', { anonymous_cid: 'a\0' }],
  ['session_expiration', 'duration', { session_expiration: 'soon' }],
  ['session_expiration', 'duration', { session_expiration: true }],
  ['session_expiration', 'too_short', { session_expiration: '' }],
  ['session_expiration', 'duration_too_short', { session_expiration: 0 }],
  ['session_expiration', 'duration_too_long', { session_expiration: '11 y' }],
])('%s is refused by %s', (field, code, more) => {
  expect(problemsOf(more)).toEqual([`/${field} ${code}`]);
});

test.each<[string, object]>([
  ['a name of 255 characters', { client_name: 'x'.repeat(255) }],
  ['a name of 255 characters beyond the BMP', { client_name: '😀'.repeat(255) }],
  ['a URI of 2048 characters', { redirect_uris: [LONG_URI] }],
  ['100 redirect URIs', { redirect_uris: Array.from({ length: 100 }, (_, i) => `${CB}${i}`) }],
  ['URIs that differ in case only', { redirect_uris: [CB, `${CB}`.replace('cb', 'CB')] }],
  ['a client_id of 255 characters', { preferred_client_id: '~'.repeat(255) }],
  ['a client_id like a path', { preferred_client_id: 'a/../%2e b' }],
  ['a client_id of one space', { preferred_client_id: ' ' }],
  ['a client_id like a field', { preferred_client_id: '__proto__' }],
  ['a domain of 253 characters and a leading dot', { cookie_domain: `.${'a.'.repeat(126)}b` }],
  ['a domain with a leading dot', { cookie_domain: '.example.com' }],
  ['a number of seconds', { session_expiration: 1.5 }],
  [
    'null for what is not set',
    { client_uri: null, session_expiration: null, grant_types: null, client_secret: null },
  ],
])('%s is accepted', (_case, more) => {
  expect(problemsOf(more)).toEqual([]);
});

test.each<[object, string, string, string]>([
  [{ client_name: undefined }, '/client_name', 'required', 'client_name is required'],
  [{ client_name: 7 }, '/client_name', 'type', 'client_name must be a string'],
  [{ client_name: '' }, '/client_name', 'too_short', 'client_name must not be empty'],
  [
    { client_name: 'x'.repeat(256) },
    '/client_name',
    'too_long',
    'client_name must be at most 255 characters long',
  ],
  [
    { client_name: 'a\tb' },
    '/client_name',
    'control_character',
    'client_name contains a control character at character 2',
  ],
  [
    { authorize_anonymous_users: 1 },
    '/authorize_anonymous_users',
    'type',
    'authorize_anonymous_users must be true or false',
  ],
  [{ redirect_uris: CB }, '/redirect_uris', 'type', 'redirect_uris must be an array of strings'],
  [
    { redirect_uris: [] },
    '/redirect_uris',
    'too_few',
    'redirect_uris must have at least 1 element: grant type authorization_code redirects (RFC 7591 section 2)',
  ],
  [
    { redirect_uris: Array.from({ length: 101 }, String) },
    '/redirect_uris',
    'too_many',
    'redirect_uris must have at most 100 elements',
  ],
  [{ redirect_uris: [CB, 7] }, '/redirect_uris/1', 'type', 'redirect_uris must contain only strings'],
  [
    { redirect_uris: [CB, CB] },
    '/redirect_uris/1',
    'duplicate',
    `'${CB}' occurs in redirect_uris twice, first at index 0`,
  ],
  [{ redirect_uris: [''] }, '/redirect_uris/0', 'too_short', "'' must not be empty"],
  [
    { grant_types: ['x'] },
    '/grant_types/0',
    'value_not_supported',
    "'x' is not supported in grant_types; supported: authorization_code",
  ],
  [
    { application_type: 'native' },
    '/application_type',
    'value_not_supported',
    "application_type must be one of web; 'native' is not supported",
  ],
  [
    { session_expiration: 0 },
    '/session_expiration',
    'duration_too_short',
    'session_expiration must be at least 1 second',
  ],
])('%j is reported with field and reason', (more, field, code, message) => {
  const body = { client_name: 'App', redirect_uris: [CB], ...more };
  expect(validateRegistration(body, DEFAULT_CAPABILITIES)).toMatchObject({
    violations: [{ field, code, message }],
  });
});

test('labels are keys with values, which are stored sorted; none are no value', () => {
  const labelsOf = (labels: unknown) =>
    validateRegistration({ client_name: 'App', redirect_uris: [CB], labels }, DEFAULT_CAPABILITIES);
  const stored = labelsOf({ team: 'shop', 'example.com/tier': '' });
  expect(stored).toMatchObject({
    valid: true,
    metadata: { labels: { 'example.com/tier': '', team: 'shop' } },
  });
  const none = labelsOf({});
  expect(none.valid && 'labels' in none.metadata).toBe(false);
  const many = Object.fromEntries(Array.from({ length: 65 }, (_, index) => [`k${index}`, '']));
  const codes = [['a'], 'x', many, { team: 1 }, { 'te am': 'a' }, { team: 'a b' }].map((labels) => {
    const result = labelsOf(labels);
    return result.valid ? [] : result.violations.map(({ field, code }) => `${field} ${code}`);
  });
  expect(codes).toEqual([
    ['/labels type'],
    ['/labels type'],
    ['/labels too_many'],
    ['/labels/team type'],
    ['/labels/te am label_key'],
    ['/labels/team label_value'],
  ]);
});
