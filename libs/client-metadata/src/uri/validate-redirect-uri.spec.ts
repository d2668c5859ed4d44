import fc from 'fast-check';
import { validateRedirectUri } from './validate-redirect-uri.js';

const validate = (uri: string, applicationType = 'web', httpHosts: readonly string[] = []) =>
  validateRedirectUri(uri, { applicationType, capabilities: { http_redirect_hosts: httpHosts } });
const codes = (uri: string, applicationType?: string, httpHosts?: readonly string[]) =>
  validate(uri, applicationType, httpHosts).map(({ code }) => code);

test.each([
  ['a plain callback', 'https://app.example.com/cb'],
  ['no path', 'https://app.example.com'],
  ['a query (RFC 6749 section 3.1.2)', 'https://app.example.com/cb?tenant=1&mode=a/b?c'],
  ['an empty query', 'https://app.example.com/cb?'],
  ['a port', 'https://app.example.com:8443/cb'],
  ['the default port', 'https://app.example.com:443/cb'],
  ['port 0', 'http://127.0.0.1:0/cb'],
  ['the highest port', 'https://app.example.com:65535/cb'],
  ['an A-label', 'https://xn--bcher-kva.example/cb'],
  ['a host of one label', 'https://intranet/cb'],
  ['a label of 63 characters', `https://${'a'.repeat(63)}.example/cb`],
  ['an underscore of a private network', 'https://my_host.internal/cb'],
  ['a closing dot of the host', 'https://app.example.com./cb'],
  ['an IPv4 address', 'https://192.0.2.7/cb'],
  ['an IPv6 address', 'https://[2001:db8::7]/cb'],
  ['capital letters in scheme and host', 'HTTPS://App.Example.com/cb'],
  ['localhost over http', 'http://localhost:3000/cb'],
  ['capital localhost', 'http://LOCALHOST/cb'],
  ['127.0.0.1 over http', 'http://127.0.0.1/cb'],
  ['another address of 127.0.0.0/8', 'http://127.255.0.3:8080/cb'],
  ['::1 over http', 'http://[::1]:8080/cb'],
  ['::1 spelled out', 'http://[0:0:0:0:0:0:0:1]/cb'],
  ['an @ in the path', 'https://app.example.com/@me'],
  ['sub-delimiters', "https://app.example.com/a;b=1,c(d)!e'f$g+h=i&j:k@l~m-n_o"],
  ['percent-encoded text', 'https://app.example.com/%C3%A9t%C3%A9/a%20b'],
  ['dots within a segment', 'https://app.example.com/.well-known/..cb/a..b/...'],
  ['an empty segment', 'https://app.example.com//cb'],
  ['a dot segment in the query only', 'https://app.example.com/cb?next=/../x'],
  ['an encoded asterisk', 'https://app.example.com/%2a'],
])('a web Client may have %s', (_case, uri) => {
  expect(validate(uri)).toEqual([]);
});

test.each([
  ['uri_not_absolute', 'the empty string', ''],
  ['uri_not_absolute', 'a path', '/cb'],
  ['uri_not_absolute', 'a host without scheme', 'app.example.com/cb'],
  ['uri_not_absolute', 'a scheme-relative reference', '//app.example.com/cb'],
  ['uri_not_absolute', 'a scheme that begins with a digit', '1https://app.example.com/cb'],
  ['uri_host_missing', 'a scheme alone', 'https://'],
  ['uri_host_missing', 'one slash', 'https:/app.example.com/cb'],
  ['uri_host_missing', 'three slashes', 'https:///app.example.com/cb'],
  ['uri_host_missing', 'no slash', 'https:app.example.com/cb'],
  ['uri_host_missing', 'a port alone', 'https://:8443/cb'],
  ['uri_host', 'an empty label', 'https://app..example.com/cb'],
  ['uri_host', 'a leading dot', 'https://.example.com/cb'],
  ['uri_host', 'a leading hyphen', 'https://-app.example.com/cb'],
  ['uri_host', 'a trailing hyphen', 'https://app-.example.com/cb'],
  ['uri_host', 'a label of 64 characters', `https://${'a'.repeat(64)}.example/cb`],
  ['uri_host', 'a name of 260 characters', `https://${'a.'.repeat(130)}example/cb`],
  ['uri_host', 'a percent-encoded host', 'https://app%2eexample.com/cb'],
  ['uri_host', 'an encoded slash in the host', 'https://app.example.com%2f.evil.test/cb'],
  ['uri_host', 'a decimal IPv4 address', 'https://2130706433/cb'],
  ['uri_host', 'a hexadecimal IPv4 address', 'https://0x7f.0.0.1/cb'],
  ['uri_host', 'an IPv4 address with a hexadecimal end', 'https://127.0.0.0x1/cb'],
  ['uri_host', 'an octal IPv4 address', 'https://127.0.0.01/cb'],
  ['uri_host', 'an IPv4 address out of range', 'https://192.0.2.256/cb'],
  ['uri_host', 'a short IPv4 address', 'https://127.1/cb'],
  ['uri_host', 'an invalid IPv6 address', 'https://[::g]/cb'],
  ['uri_host', 'an IPv6 zone', 'https://[fe80::1%25eth0]/cb'],
  ['uri_host', 'an A-label that holds nothing', 'https://xn--.example/cb'],
  ['uri_port', 'a port beyond 65535', 'https://app.example.com:65536/cb'],
  ['uri_port', 'an empty port', 'https://app.example.com:/cb'],
  ['uri_port', 'a port with a leading zero', 'https://app.example.com:0443/cb'],
  ['uri_port', 'a port of letters', 'https://app.example.com:http/cb'],
  ['uri_port', 'a signed port', 'https://app.example.com:+443/cb'],
  ['uri_userinfo', 'a user name', 'https://me@app.example.com/cb'],
  ['uri_userinfo', 'a password', 'https://me:pw@app.example.com/cb'],
  ['uri_userinfo', 'an empty user name', 'https://@app.example.com/cb'],
  ['uri_userinfo', 'two @', 'https://app.example.com@@app.example.com/cb'],
  ['uri_fragment', 'a fragment', 'https://app.example.com/cb#x'],
  ['uri_fragment', 'an empty fragment', 'https://app.example.com/cb#'],
  ['uri_dot_segment', '..', 'https://app.example.com/a/../cb'],
  ['uri_dot_segment', '.', 'https://app.example.com/./cb'],
  ['uri_dot_segment', '.. at the end', 'https://app.example.com/a/..'],
  ['uri_dot_segment', '%2e%2e', 'https://app.example.com/%2e%2E/cb'],
  ['uri_dot_segment', '..%2f', 'https://app.example.com/a%2f..%2Fcb'],
  ['uri_dot_segment', '%252e%252e', 'https://app.example.com/a/%252e%252e/cb'],
  ['uri_dot_segment', 'dots encoded five times', `https://app.example.com/a/%${'25'.repeat(4)}2e./cb`],
  ['uri_dot_segment', 'dots whose hexadecimal digits are encoded', 'https://app.example.com/a/%25%32%65./cb'],
  ['uri_dot_segment', '..;x (CVE-2026-3872 of Keycloak)', 'https://app.example.com/a/..;x/cb'],
  ['uri_dot_segment', '..%5c', 'https://app.example.com/a%5c..%5Ccb'],
  ['uri_wildcard', '* in the path', 'https://app.example.com/*'],
  ['uri_wildcard', '* in the query', 'https://app.example.com/cb?x=*'],
  ['uri_backslash', 'a backslash', 'https://app.example.com\\cb'],
  ['uri_space', 'a space', 'https://app.example.com/c b'],
  ['uri_space', 'a leading space', ' https://app.example.com/cb'],
  ['uri_space', 'a trailing space', 'https://app.example.com/cb '],
  ['uri_space', 'a no-break space', 'https://app.example.com/cb\u00a0'],
  ['uri_control_character', 'a line break', 'https://app.example.com/cb\n'],
  ['uri_control_character', 'a tab', 'https://app.example.com/c\tb'],
  ['uri_control_character', 'NUL', 'https://app.example.com/cb\0'],
  ['uri_control_character', 'DEL', 'https://app.example.com/cb\x7f'],
  ['uri_encoded_control_character', '%0d%0a in the path', 'https://app.example.com/cb%0d%0aX:1'],
  ['uri_encoded_control_character', '%00 in the query', 'https://app.example.com/cb?x=%00'],
  ['uri_encoded_control_character', '%250a', 'https://app.example.com/cb%250a'],
  ['uri_not_ascii', 'a U-label', 'https://bücher.example/cb'],
  ['uri_not_ascii', 'an ideographic full stop', 'https://app。example.com/cb'],
  ['uri_not_ascii', 'half of a surrogate pair', 'https://app.example.com/\ud800'],
  ['uri_character', 'a quotation mark', 'https://app.example.com/"'],
  ['uri_character', 'angle brackets', 'https://app.example.com/<x>'],
  ['uri_character', 'braces', 'https://app.example.com/{tenant}'],
  ['uri_bracket', 'a bracket in the query', 'https://app.example.com/cb?a[b]=1'],
  ['uri_percent_encoding', '% alone', 'https://app.example.com/100%'],
  ['uri_percent_encoding', '% and no hexadecimal digits', 'https://app.example.com/%zz'],
  ['uri_plain_http', 'http', 'http://app.example.com/cb'],
  ['uri_plain_http', 'http to a name that begins like loopback', 'http://127.0.0.1.evil.test/cb'],
  ['uri_plain_http', 'http to a name that begins like localhost', 'http://localhost.evil.test/cb'],
  ['uri_plain_http', 'http to an address beyond 127.0.0.0/8', 'http://128.0.0.1/cb'],
  ['uri_plain_http', 'http to IPv4-mapped loopback', 'http://[::ffff:127.0.0.1]/cb'],
  ['uri_scheme_of_web_client', 'a private-use scheme', 'com.example.app:/cb'],
  ['uri_scheme_of_web_client', 'ftp', 'ftp://app.example.com/cb'],
  ['uri_scheme_of_web_client', 'a host and port without scheme', 'localhost:3000/cb'],
])('%s refuses %s', (code, _case, uri) => {
  expect(codes(uri)).toContain(code);
});

describe('whatever the application type', () => {
  test.each([
    'javascript:alert(1)',
    'JavaScript://app.example.com/%0aalert(1)',
    'data:text/html,x',
    'vbscript:x',
  ])('the scheme of %s is refused', (uri) => {
    expect(codes(uri)).toContain('uri_dangerous_scheme');
    expect(codes(uri, 'native')).toContain('uri_dangerous_scheme');
  });

  test.each(['file:///etc/passwd', 'blob:https://app.example.com/1', 'about:blank'])(
    'that of %s too',
    (uri) => {
      expect(codes(uri)).toEqual(['uri_dangerous_scheme']);
      expect(codes(uri, 'native')).toEqual(['uri_dangerous_scheme']);
    },
  );
});

describe('a native Client', () => {
  test.each([
    'com.example.app:/oauth2redirect',
    'com.example.app://callback',
    'com.example.app:callback',
    'com.example.app:///callback',
    'com.example.app://[::1]:8080/callback',
    'com.example.app://any~name/callback',
    'https://app.example.com/claimed',
    'http://127.0.0.1/cb',
    'http://[::1]/cb',
    'http://localhost/cb',
  ])('may have %s', (uri) => {
    expect(validate(uri, 'native')).toEqual([]);
  });

  test.each([
    ['uri_private_scheme', 'myapp:/cb'],
    ['uri_private_scheme', 'mailto:me@example.com'],
    ['uri_plain_http', 'http://app.example.com/cb'],
    ['uri_fragment', 'com.example.app:/cb#'],
    ['uri_userinfo', 'com.example.app://me@callback'],
    ['uri_dot_segment', 'com.example.app:/a/../cb'],
    ['uri_host', 'com.example.app://[x]/cb'],
    ['uri_host', 'com.example.app://[::1/cb'],
    ['uri_host', 'com.example.app://a[::1]/cb'],
    ['uri_host', 'com.example.app://:8080/cb'],
  ])('is refused by %s for %s', (code, uri) => {
    expect(codes(uri, 'native')).toContain(code);
  });
});

test('a URI without a host, or with a scheme for neither kind of Client, violates no other rule', () => {
  expect(codes('http:///cb')).toEqual(['uri_host_missing']);
  expect(codes('ftp://app.example.com/cb')).toEqual(['uri_scheme_of_web_client']);
  expect(codes('ftp://app.example.com/cb', 'native')).toEqual(['uri_private_scheme']);
});

test('configuration can allow http for one host only', () => {
  expect(validate('http://App.Internal:8080/cb', 'web', ['app.internal'])).toEqual([]);
  expect(codes('http://other.internal/cb', 'web', ['app.internal'])).toEqual(['uri_plain_http']);
  expect(codes('http://x.app.internal/cb', 'web', ['app.internal'])).toEqual(['uri_plain_http']);
});

test('every rule that a URI violates is named', () => {
  expect(codes('http://me@app.example.com:99999/a/../*#')).toEqual([
    'uri_userinfo',
    'uri_port',
    'uri_fragment',
    'uri_dot_segment',
    'uri_wildcard',
    'uri_plain_http',
  ]);
});

test('each violation states the rule and its source', () => {
  for (const uri of ['', 'https://', 'https://h/#', 'https://h/*', 'https://h/%', 'ftp://h', 'http://h']) {
    for (const { message } of validate(uri)) expect(message).toMatch(/^(must|has|holds) .*(RFC|OpenID)/);
  }
});

test('what is accepted means the same to the URL parser of browsers', () => {
  const piece = fc.constantFrom(
    ...'aZ09-._~%25%2e%2F%0a/\\?#@:;=&+!*()[]{}<>" \t\u3002é'.split(''),
    'https://',
    '..',
    'xn--',
  );
  const text = fc
    .array(piece, { maxLength: 12 })
    .map((pieces) => `https://app.example.com${pieces.join('')}`);
  fc.assert(
    fc.property(text, (uri) => {
      fc.pre(validate(uri).length === 0);
      const url = new URL(uri);
      const [, host, rest = ''] = /^https:\/\/([^/?#]*)(.*)$/.exec(uri) ?? [];
      expect([url.host, url.hostname]).toContain((host ?? '').toLowerCase());
      expect(`${url.pathname}${url.search}`).toBe(
        rest.replace(/^(?=\?|$)/, '/').replace(/^([^?]*)\?$/, '$1'),
      );
      expect([url.username, url.password, url.hash]).toEqual(['', '', '']);
    }),
    { numRuns: 1000 },
  );
});

test.each([
  [
    'web',
    '/cb',
    'uri_not_absolute',
    'must be an absolute URI, beginning with a scheme such as https: (RFC 6749 section 3.1.2)',
  ],
  [
    'native',
    'about:blank',
    'uri_dangerous_scheme',
    'must not have a scheme that leads to scripts or files, such as javascript, data, file or view-source (RFC 8252 section 7.1)',
  ],
  [
    'web',
    'com.example.app:/cb',
    'uri_scheme_of_web_client',
    'must have the scheme https for a client of application_type web (OpenID Connect Registration section 2)',
  ],
  [
    'native',
    'myapp:/cb',
    'uri_private_scheme',
    'must have https, loopback http, or a private-use scheme with a period in it (RFC 8252 sections 7.1, 8.4)',
  ],
  [
    'web',
    'http://app.example.com/cb',
    'uri_plain_http',
    'must have the scheme https: http is for localhost, 127.0.0.0/8 and [::1] only (RFC 9700 section 2.6)',
  ],
])('a %s Client with %s is rejected with %s', (applicationType, uri, code, message) => {
  expect(validate(uri, applicationType)).toEqual([{ code, message }]);
});
