import { matchRedirectUri } from './match-redirect-uri.js';

const APP = 'https://app.example.com';
const CB = `${APP}/cb`;
const NATIVE = 'com.example.app:/cb';

type Verdict = 'allow' | 'deny';

const verdict = (
  requested: string,
  registered: readonly string[],
  method: 'full_match' | 'prefix_match' | 'none',
) => (matchRedirectUri(requested, registered, method, 'web').matches ? 'allow' : 'deny');

/** Registered URI, requested URI, and the results of full_match and prefix_match. */
const CASES: readonly (readonly [
  title: string,
  registered: string,
  requested: string,
  full: Verdict,
  prefix: Verdict,
])[] = [
  ['the same string', CB, CB, 'allow', 'allow'],
  ['the same string with a query', `${CB}?t=1`, `${CB}?t=1`, 'allow', 'allow'],
  [
    'the same string of a development Client',
    'http://localhost:3000/cb',
    'http://localhost:3000/cb',
    'allow',
    'allow',
  ],

  // Simple string comparison: nothing is normalised (RFC 3986 section 6.2.1).
  ['a slash more', APP, `${APP}/`, 'deny', 'allow'],
  ['a slash less', `${CB}/`, CB, 'deny', 'deny'],
  ['a path more', `${APP}/`, CB, 'deny', 'allow'],
  ['a query more', CB, `${CB}?tenant=1`, 'deny', 'allow'],
  ['an empty query more', CB, `${CB}?`, 'deny', 'allow'],
  ['a query less', `${CB}?t=1`, CB, 'deny', 'deny'],
  ['another value of the query', `${CB}?t=1`, `${CB}?t=2`, 'deny', 'deny'],
  ['a longer value of the query', `${CB}?t=1`, `${CB}?t=12`, 'deny', 'allow'],
  ['a parameter more', `${CB}?t=1`, `${CB}?t=1&u=2`, 'deny', 'allow'],
  ['another order of the query', `${CB}?a=1&b=2`, `${CB}?b=2&a=1`, 'deny', 'deny'],
  ['capital letters in the scheme', CB, 'HTTPS://app.example.com/cb', 'deny', 'deny'],
  ['capital letters in the host', CB, 'https://APP.example.com/cb', 'deny', 'deny'],
  ['capital letters in the path', CB, `${APP}/CB`, 'deny', 'deny'],
  ['the default port, registered', `${APP}:443/cb`, CB, 'deny', 'deny'],
  ['the default port, requested', CB, `${APP}:443/cb`, 'deny', 'deny'],
  ['the default port after a bare host', APP, `${APP}:443/cb`, 'deny', 'allow'],
  ['percent-encoding of a plain letter', CB, `${APP}/%63b`, 'deny', 'deny'],
  ['another case of percent-encoding', `${APP}/%C3%A9`, `${APP}/%c3%a9`, 'deny', 'deny'],
  ['a dot segment that leads to it', CB, `${APP}/./cb`, 'deny', 'deny'],
  [
    'an A-label for a U-label',
    'https://bücher.example/cb',
    'https://xn--bcher-kva.example/cb',
    'deny',
    'deny',
  ],
  ['a closing dot of the host', CB, 'https://app.example.com./cb', 'deny', 'deny'],
  ['a space before', CB, ` ${CB}`, 'deny', 'deny'],
  ['a space behind', CB, `${CB} `, 'deny', 'deny'],
  ['nothing', CB, '', 'deny', 'deny'],

  // The host goes on (CVE-2024-8883 and CVE-2026-18211 of Keycloak, and many more).
  ['nothing of a registered script', 'javascript:', 'javascript:alert(1)', 'deny', 'deny'],
  ['a domain more', APP, `${APP}.evil.test`, 'deny', 'deny'],
  ['a domain more, and a path', APP, `${APP}.evil.test/cb`, 'deny', 'deny'],
  ['a longer label', APP, `${APP}munity.test/cb`, 'deny', 'deny'],
  ['a hyphen more', APP, `${APP}-evil.test/cb`, 'deny', 'deny'],
  ['a longer name', 'https://app.example.co', `${APP}/cb`, 'deny', 'deny'],
  ['a digit more', 'http://127.0.0.1', 'http://127.0.0.12/cb', 'deny', 'deny'],
  ['a domain after an address', 'http://127.0.0.1', 'http://127.0.0.1.evil.test/cb', 'deny', 'deny'],
  ['a domain after localhost', 'http://localhost', 'http://localhost.evil.test/cb', 'deny', 'deny'],
  ['a subdomain', APP, 'https://x.app.example.com/cb', 'deny', 'deny'],
  ['the parent domain', APP, 'https://example.com/cb', 'deny', 'deny'],
  ['another host with the URI in its path', CB, `https://evil.test/${CB}`, 'deny', 'deny'],
  ['another host with the URI in its query', CB, `https://evil.test/?${CB}`, 'deny', 'deny'],
  ['a full stop of another script', APP, `${APP}。evil.test/cb`, 'deny', 'deny'],
  ['an encoded NUL in the host', APP, `${APP}%00.evil.test/cb`, 'deny', 'deny'],
  ['an encoded slash in the host', APP, `${APP}%2f.evil.test/cb`, 'deny', 'deny'],
  ['an encoded @ in the host', APP, `${APP}%40evil.test/cb`, 'deny', 'deny'],
  ['a cut IPv6 address', 'http://[::1]', 'http://[::1].evil.test/cb', 'deny', 'deny'],

  // The host turns into a user name (CVE-2023-6291, CVE-2026-7504 of Keycloak).
  ['a user name', APP, `${APP}@evil.test/cb`, 'deny', 'deny'],
  ['a user name and a password', APP, `${APP}:x@evil.test/cb`, 'deny', 'deny'],
  ['two @', APP, `${APP}@@evil.test/cb`, 'deny', 'deny'],
  ['a user name on the right host', APP, `${APP}:x@app.example.com/cb`, 'deny', 'deny'],
  ['an @ in the path', `${APP}/`, `${APP}/@evil.test`, 'deny', 'allow'],

  // Parsers disagree.
  ['a backslash in the host', APP, `${APP}\\.evil.test/cb`, 'deny', 'deny'],
  ['a backslash and an @', APP, `${APP}\\@evil.test/cb`, 'deny', 'deny'],
  ['a backslash in the path', `${APP}/`, `${APP}/a\\b`, 'deny', 'deny'],
  ['one slash', CB, 'https:/app.example.com/cb', 'deny', 'deny'],
  ['no slash', CB, 'https:app.example.com/cb', 'deny', 'deny'],
  ['three slashes', CB, 'https:///app.example.com/cb', 'deny', 'deny'],
  ['no scheme', CB, '//app.example.com/cb', 'deny', 'deny'],
  ['a path alone', CB, '/cb', 'deny', 'deny'],
  ['a tab, which browsers drop', CB, `${APP}/c\tb`, 'deny', 'deny'],
  ['a line break behind', CB, `${CB}\n`, 'deny', 'deny'],
  ['NUL behind', CB, `${CB}\0`, 'deny', 'deny'],
  ['an encoded line break', CB, `${CB}%0d%0aX:1`, 'deny', 'deny'],
  ['an encoded line break in the query', CB, `${CB}?x=%0a`, 'deny', 'deny'],
  ['a letter that is no ASCII', `${APP}/`, `${APP}/é`, 'deny', 'deny'],
  ['a broken percent-encoding', `${APP}/`, `${APP}/%zz`, 'deny', 'deny'],

  // Scheme and port.
  ['http for https', CB, 'http://app.example.com/cb', 'deny', 'deny'],
  ['https for http', 'http://localhost/cb', 'https://localhost/cb', 'deny', 'deny'],
  ['another port', APP, `${APP}:8443/cb`, 'deny', 'deny'],
  ['a longer port', `${APP}:844`, `${APP}:8443/cb`, 'deny', 'deny'],
  ['a port beyond 65535', `${APP}:8443`, `${APP}:84431/cb`, 'deny', 'deny'],
  ['an empty port', APP, `${APP}:/cb`, 'deny', 'deny'],
  ['a loopback port of a web Client', 'http://127.0.0.1/cb', 'http://127.0.0.1:51004/cb', 'deny', 'deny'],

  // The path goes on, or back.
  ['a longer name in the path', CB, `${CB}x`, 'deny', 'allow'],
  ['a subpath', CB, `${CB}/x`, 'deny', 'allow'],
  ['two slashes', `${APP}/`, `${APP}//evil.test`, 'deny', 'allow'],
  ['..', CB, `${CB}/../admin`, 'deny', 'deny'],
  ['.. at the end', `${APP}/a/`, `${APP}/a/..`, 'deny', 'deny'],
  ['%2e%2e', CB, `${CB}/%2e%2e/admin`, 'deny', 'deny'],
  ['..%2f', CB, `${CB}%2f..%2fadmin`, 'deny', 'deny'],
  ['%252e%252e', CB, `${CB}/%252e%252e/admin`, 'deny', 'deny'],
  ['..;', CB, `${CB}/..;/admin`, 'deny', 'deny'],
  ['..%5c', CB, `${CB}%5c..%5cadmin`, 'deny', 'deny'],
  ['three dots', CB, `${CB}/.../x`, 'deny', 'allow'],
  ['dots in the query', CB, `${CB}?next=../x`, 'deny', 'allow'],

  // Fragments (RFC 6749 section 3.1.2).
  ['a fragment', CB, `${CB}#x`, 'deny', 'deny'],
  ['an empty fragment', CB, `${CB}#`, 'deny', 'deny'],
  ['a fragment that hides a host', APP, `${APP}#@evil.test/`, 'deny', 'deny'],

  // What the answer will add must not be there already.
  ['a code', CB, `${CB}?code=x`, 'deny', 'deny'],
  ['a state after another parameter', CB, `${CB}?a=1&state=x`, 'deny', 'deny'],
  ['an iss', CB, `${CB}?iss=x`, 'deny', 'deny'],
  ['an error', CB, `${CB}?error=x`, 'deny', 'deny'],
  ['an error_description', CB, `${CB}?error_description=x`, 'deny', 'deny'],
  ['an error_uri', CB, `${CB}?error_uri=x`, 'deny', 'deny'],
  ['an access_token', CB, `${CB}?access_token=x`, 'deny', 'deny'],
  ['a token_type', CB, `${CB}?token_type=x`, 'deny', 'deny'],
  ['an expires_in', CB, `${CB}?expires_in=1`, 'deny', 'deny'],
  ['a scope', CB, `${CB}?scope=x`, 'deny', 'deny'],
  ['an id_token', CB, `${CB}?id_token=x`, 'deny', 'deny'],
  ['a refresh_token', CB, `${CB}?refresh_token=x`, 'deny', 'deny'],
  ['a session_state', CB, `${CB}?session_state=x`, 'deny', 'deny'],
  ['a response (JARM)', CB, `${CB}?response=x`, 'deny', 'deny'],
  ['a code without value', CB, `${CB}?code`, 'deny', 'deny'],
  ['an encoded code', CB, `${CB}?%63ode=x`, 'deny', 'deny'],
  ['a code of an array', CB, `${CB}?code%5b%5d=x`, 'deny', 'deny'],
  ['a code after a semicolon', CB, `${CB}?a=1;code=x`, 'deny', 'deny'],
  ['a code after a plus', CB, `${CB}?+code=x`, 'deny', 'deny'],
  ['a name that ends like one', CB, `${CB}?zipcode=x`, 'deny', 'allow'],
  ['a value that is one', CB, `${CB}?show=code`, 'deny', 'allow'],
  ['a name in capitals, which is another', CB, `${CB}?Code=x`, 'deny', 'allow'],
  ['a code in the path', CB, `${CB}/code=x`, 'deny', 'allow'],

  // No wildcards.
  ['anything for *', `${APP}/*`, `${APP}/x`, 'deny', 'deny'],
  ['any host for *', 'https://*.example.com/cb', CB, 'deny', 'deny'],
  ['a * in the request', `${APP}/`, `${APP}/*`, 'deny', 'deny'],
];

test.each(CASES)('%s', (_title, registered, requested, full, prefix) => {
  expect([
    verdict(requested, [registered], 'full_match'),
    verdict(requested, [registered], 'prefix_match'),
  ]).toEqual([full, prefix]);
});

test('any registered URI may match, and is named', () => {
  const registered = ['https://a.example/cb', `${APP}/`, CB];
  expect(matchRedirectUri(CB, registered, 'full_match', 'web')).toMatchObject({
    registered: CB,
    rule: 'exact',
  });
  expect(matchRedirectUri(`${APP}/x`, registered, 'prefix_match', 'web')).toMatchObject({
    registered: `${APP}/`,
    rule: 'prefix',
  });
  expect(matchRedirectUri('https://b.example/cb', registered, 'prefix_match', 'web')).toEqual({
    matches: false,
    rule: 'no_match',
    message: 'does not begin with any registered URI of the same scheme, host and port',
  });
});

test('the violated rule is named', () => {
  expect(matchRedirectUri(`${CB}x`, [CB], 'full_match', 'web').rule).toBe('no_match');
  expect(matchRedirectUri(`${CB}?code=x`, [CB], 'prefix_match', 'web').rule).toBe('response_parameter');
  expect(matchRedirectUri(`${CB}/..`, [CB], 'prefix_match', 'web').rule).toBe('uri_dot_segment');
});

test('without registered URIs, nothing matches', () => {
  for (const method of ['full_match', 'prefix_match'] as const) expect(verdict(CB, [], method)).toBe('deny');
});

test('a registered text that is not a URI matches nothing by prefix', () => {
  for (const broken of ['', '/', 'https', 'https:', 'https://', 'https://[', 'app.example.com']) {
    expect(verdict(CB, [broken], 'prefix_match')).toBe('deny');
    expect(verdict('https://[::1]/cb', [broken], 'prefix_match')).toBe('deny');
  }
});

describe('a native Client (RFC 8252 section 7.3)', () => {
  const native = (
    requested: string,
    registered: string,
    method: 'full_match' | 'prefix_match' = 'full_match',
  ) => matchRedirectUri(requested, [registered], method, 'native');

  test.each([
    ['a port', 'http://127.0.0.1/cb', 'http://127.0.0.1:51004/cb'],
    ['another port', 'http://127.0.0.1:8080/cb', 'http://127.0.0.1:51004/cb'],
    ['no port', 'http://127.0.0.1:8080/cb', 'http://127.0.0.1/cb'],
    ['a port of ::1', 'http://[::1]/cb', 'http://[::1]:51004/cb'],
    ['a port before a query', 'http://127.0.0.1?x=1', 'http://127.0.0.1:51004?x=1'],
    ['a port of another loopback address', 'http://127.0.0.2/cb', 'http://127.0.0.2:1/cb'],
  ])('may use %s on a loopback address, under full_match', (_case, registered, requested) => {
    expect(native(requested, registered)).toMatchObject({ matches: true, registered, rule: 'loopback_port' });
    expect(native(requested, registered, 'prefix_match')).toMatchObject({ matches: false, rule: 'no_match' });
  });

  test('may extend a loopback address under prefix_match, on the registered port', () => {
    const registered = 'http://127.0.0.1:8000/cb';
    expect(native(`${registered}/x`, registered, 'prefix_match')).toMatchObject({
      matches: true,
      registered,
    });
    expect(native('http://127.0.0.1:9/cb/x', registered, 'prefix_match').matches).toBe(false);
  });

  test.each([
    ['localhost, which is a name', 'http://localhost/cb', 'http://localhost:51004/cb'],
    ['https', 'https://127.0.0.1/cb', 'https://127.0.0.1:51004/cb'],
    ['another loopback address', 'http://127.0.0.1/cb', 'http://127.0.0.2:51004/cb'],
    ['the other family', 'http://127.0.0.1/cb', 'http://[::1]:51004/cb'],
    ['another path', 'http://127.0.0.1/cb', 'http://127.0.0.1:51004/c'],
    ['a port out of range', 'http://127.0.0.1/cb', 'http://127.0.0.1:65536/cb'],
    ['an empty port', 'http://127.0.0.1/cb', 'http://127.0.0.1:/cb'],
    ['a user name', 'http://127.0.0.1/cb', 'http://x@127.0.0.1:51004/cb'],
    ['a host that goes on', 'http://127.0.0.1', 'http://127.0.0.1.evil.test:51004/cb'],
    ['an address that is not loopback', 'http://192.0.2.1/cb', 'http://192.0.2.1:51004/cb'],
    ['capital letters in the scheme', 'http://127.0.0.1/cb', 'HTTP://127.0.0.1:51004/cb'],
  ])('may not use %s', (_case, registered, requested) => {
    expect(native(requested, registered).matches).toBe(false);
    expect(native(requested, registered, 'prefix_match').matches).toBe(false);
  });

  test('a private-use scheme is compared like any other', () => {
    expect(native(NATIVE, NATIVE).matches).toBe(true);
    expect(native(`${NATIVE}/x`, NATIVE).matches).toBe(false);
    expect(native(`${NATIVE}/x`, NATIVE, 'prefix_match').matches).toBe(true);
    expect(native('com.example.app://evil/cb', 'com.example.app:', 'prefix_match').matches).toBe(false);
    expect(native('com.example.app://cbevil', 'com.example.app://cb', 'prefix_match').matches).toBe(false);
    expect(native('com.example.apps:/cb', 'com.example.app', 'prefix_match').matches).toBe(false);
    expect(native('com.example.app://[x]/cb', 'com.example.app://[x]/', 'prefix_match').rule).toBe(
      'uri_host',
    );
  });
});

describe('none', () => {
  test.each([
    'https://anywhere.test/cb',
    'http://anywhere.test/cb',
    'https://me@anywhere.test/a/../cb?code=1',
    'com.example.app:/cb',
    'myapp:/cb',
  ])('lets %s pass', (uri) => {
    expect(matchRedirectUri(uri, [CB], 'none', 'web')).toMatchObject({ matches: true, rule: 'unchecked' });
  });

  test.each([
    ['uri_not_absolute', ''],
    ['uri_not_absolute', '/cb'],
    ['uri_host_missing', 'https:///cb'],
    ['uri_fragment', `${CB}#`],
    ['uri_dangerous_scheme', 'javascript:alert(1)'],
    ['uri_dangerous_scheme', 'JAVASCRIPT:alert(1)'],
    ['uri_dangerous_scheme', 'data:text/html,x'],
    ['uri_dangerous_scheme', 'filesystem:https://shop.example/temporary/x.html'],
    ['uri_dangerous_scheme', 'view-source:https://shop.example/cb'],
    ['uri_dangerous_scheme', 'jar:https://shop.example/x.jar!/x.html'],
    ['uri_dangerous_scheme', 'intent://shop.example/cb#Intent;end'],
    ['uri_dangerous_scheme', 'FEED:javascript:alert(1)'],
    ['uri_dangerous_scheme', 'mhtml:https://shop.example/x.mht'],
    ['uri_dangerous_scheme', 'chrome-extension://id/x.html'],
    ['uri_dangerous_scheme', 'livescript:alert(1)'],
    ['uri_dangerous_scheme', 'content://provider/x'],
    ['uri_dangerous_scheme', 'resource://x'],
    ['uri_control_character', 'java\tscript:alert(1)'],
    ['uri_control_character', '\x01javascript:alert(1)'],
    ['uri_space', ' javascript:alert(1)'],
    ['uri_backslash', 'https:\\\\evil.test'],
  ])('still refuses by %s: %j', (rule, uri) => {
    expect(matchRedirectUri(uri, [uri], 'none', 'web')).toMatchObject({ matches: false, rule });
  });
});
