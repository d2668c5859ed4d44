import { splitUri } from './split-uri.js';
import { CLEAN_URI_RULES, uriCharacterViolations, uriViolations } from './uri-rules.js';

const APP = 'https://app.example.com';

test.each([
  [`${APP}/\n`, 'uri_control_character', 'must not contain a control character (RFC 3986 section 2)'],
  [`${APP}/a b`, 'uri_space', 'must not contain a space, nor begin or end with one (RFC 3986 section 2)'],
  [
    `${APP}\\x`,
    'uri_backslash',
    'must not contain a backslash: some parsers read it as a slash (RFC 3986 section 2)',
  ],
  [
    `${APP}/é`,
    'uri_not_ascii',
    'must contain only ASCII characters: write host names in their xn-- form and percent-encode the rest (RFC 3986 section 2)',
  ],
  [
    `${APP}/{x}`,
    'uri_character',
    'must not contain any of < > " { } | ^ ` unless percent-encoded (RFC 3986 section 2)',
  ],
  [
    `${APP}/%zz`,
    'uri_percent_encoding',
    'has a % that is not followed by two hexadecimal digits (RFC 3986 section 2.1)',
  ],
])('of the characters of %j it says by %s why', (uri, code, message) => {
  expect(uriCharacterViolations(uri)).toEqual([{ code, message }]);
});

test.each([
  [
    `${APP}/[x]`,
    'uri_bracket',
    'must not contain [ or ] outside an IPv6 address unless percent-encoded (RFC 3986 section 3.2.2)',
  ],
  [
    `${APP}/%250a`,
    'uri_encoded_control_character',
    'must not contain a percent-encoded control character, such as a line break (RFC 9110 section 5.5)',
  ],
  [
    'https://me@app.example.com/',
    'uri_userinfo',
    'must not have a user name or password before the host (RFC 9110 section 4.2.4)',
  ],
  ['https:///cb', 'uri_host_missing', 'must name a host after // (RFC 9110 section 4.2)'],
  [
    'https://127.1/cb',
    'uri_host',
    'has a host that is not a host name, IPv4 address or bracketed IPv6 address (RFC 3986 section 3.2.2)',
  ],
  [
    'com.example.app://[x]/cb',
    'uri_host',
    'has a host that is not a host name, IPv4 address or bracketed IPv6 address (RFC 3986 section 3.2.2)',
  ],
  [
    `${APP}:65536/cb`,
    'uri_port',
    'has a port that is not a number from 0 to 65535 without leading zeros (RFC 3986 section 3.2.3)',
  ],
  [`${APP}/cb#`, 'uri_fragment', 'must not have a fragment, not even an empty one (RFC 6749 section 3.1.2)'],
  [
    `${APP}/%2e./cb`,
    'uri_dot_segment',
    'must not have a . or .. segment in its path, however encoded (RFC 3986 section 6.2.2.3)',
  ],
  [
    `${APP}/*`,
    'uri_wildcard',
    'must not contain a *: there are no wildcards, register each URI in full (RFC 9700 section 4.1.3)',
  ],
])('of the parts of %j it says by %s why', (uri, code, message) => {
  const parts = splitUri(uri);
  if (!parts) throw new Error('it is absolute');
  expect(uriCharacterViolations(uri)).toEqual([]);
  expect(uriViolations(parts, CLEAN_URI_RULES, undefined)).toEqual([{ code, message }]);
});
