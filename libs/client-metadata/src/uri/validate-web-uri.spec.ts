import { validateEndpointUri, validateWebUri } from './validate-web-uri.js';

const codes = (violations: readonly { readonly code: string }[]) => violations.map(({ code }) => code);

test.each([
  'https://example.com',
  'http://example.com:8080/a/b?c=d',
  'http://auth_service:8080/session',
  'http://10.0.0.7/session',
  'https://[2001:db8::7]/',
  'https://example.com/a/../b',
  'https://example.com/*',
])('%s is a link and an endpoint', (uri) => {
  expect(validateWebUri(uri)).toEqual([]);
  expect(validateEndpointUri(uri)).toEqual([]);
});

test('a link may have a fragment, as pages of single-page applications do; an endpoint may not', () => {
  expect(validateWebUri('https://example.com/auth/#/login')).toEqual([]);
  expect(codes(validateEndpointUri('https://example.com/auth/#/login'))).toEqual(['uri_fragment']);
  expect(codes(validateEndpointUri('https://example.com/auth#'))).toEqual(['uri_fragment']);
});

test.each([
  ['uri_not_absolute', ''],
  ['uri_not_absolute', '/login'],
  ['uri_not_absolute', 'example.com/login'],
  ['uri_scheme', 'javascript:alert(1)'],
  ['uri_scheme', 'data:text/html,x'],
  ['uri_scheme', 'ftp://example.com/'],
  ['uri_scheme', 'com.example.app:/x'],
  ['uri_host_missing', 'https://'],
  ['uri_host_missing', 'https:/example.com'],
  ['uri_host', 'https://exa%6dple.com/'],
  ['uri_host', 'https://example..com/'],
  ['uri_port', 'https://example.com:99999/'],
  ['uri_userinfo', 'https://example.com@evil.test/'],
  ['uri_encoded_control_character', 'https://example.com/%0d%0aSet-Cookie:x'],
  ['uri_bracket', 'https://example.com/[x]'],
  ['uri_backslash', 'https://example.com\\@evil.test'],
  ['uri_space', 'https://example.com/a b'],
  ['uri_control_character', 'java\nscript:alert(1)'],
  ['uri_not_ascii', 'https://exämple.com/'],
])('%s refuses %j', (code, uri) => {
  expect(codes(validateWebUri(uri))).toContain(code);
  expect(codes(validateEndpointUri(uri))).toContain(code);
});

test('each violation says why', () => {
  const scheme = { code: 'uri_scheme', message: 'must have the scheme https or http' };
  expect([validateWebUri('ftp://example.com/'), validateEndpointUri('ftp://example.com/')]).toEqual([
    [scheme],
    [scheme],
  ]);
  expect(validateEndpointUri('https://example.com/#')).toEqual([
    { code: 'uri_fragment', message: 'must not have a fragment: it is an endpoint' },
  ]);
});
