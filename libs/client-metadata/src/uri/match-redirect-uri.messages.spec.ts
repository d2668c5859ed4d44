import { matchRedirectUri } from './match-redirect-uri.js';

const APP = 'https://app.example.com';
const CB = `${APP}/cb`;

test.each([
  [`${CB}/`, 'a slash at the end'],
  [`${CB} `, 'a space before or after it'],
  [` ${CB}`, 'a space before or after it'],
  [`${APP}/CB`, 'capital letters'],
  ['http://app.example.com/cb', 'http in place of https'],
  [`${APP}:8443/cb`, 'the port'],
  [`${APP}/%63b`, 'percent-encoding'],
  [`${CB}#top`, 'the fragment'],
  [`${CB}?x=1`, 'the query'],
])('full_match reports how %j differs: %s', (requested, difference) => {
  expect(matchRedirectUri(requested, [CB], 'full_match', 'web').message).toBe(
    `does not match any registered URI (RFC 9700 section 4.1.3); the closest is '${CB}' (difference: ${difference})`,
  );
});

test.each([
  ['http://[::1]:3000/cb', 'http://[::1]/cb', 'the port'],
  ['https://app.example.com?x=1', 'https://app.example.com:8443?x=1', 'the port'],
  ['https://app.example.com/a:1/cb', 'https://app.example.com/a:2/cb', undefined],
  ['https://app.example.com/a', 'https://app.example.com/a//', undefined],
  ['https://app.example.com/http:x', 'https://app.example.com/https:x', undefined],
])('for %s and %s, full_match reports the difference %s', (registered, requested, difference) => {
  const { message } = matchRedirectUri(requested, [registered], 'full_match', 'web');
  expect(/the closest is .* \(difference: (.*)\)$/.exec(message)?.[1]).toBe(difference);
});

test('the most similar of several registered URIs is named', () => {
  const { message } = matchRedirectUri(`${CB}/`, ['https://other.example/cb', CB], 'full_match', 'web');
  expect(message).toContain(`the closest is '${CB}' (difference:`);
});

test.each([
  ['full_match', CB, 'exact', 'matches a registered URI exactly (RFC 9700 section 4.1.3)'],
  ['prefix_match', `${CB}/x`, 'prefix', 'begins with a registered URI of the same scheme, host and port'],
  [
    'none',
    `${APP}/y`,
    'unchecked',
    'is not checked against the registered URIs: redirect_uri_validation_method is none',
  ],
] as const)('%s explains why a URI matches', (method, requested, rule, message) => {
  expect(matchRedirectUri(requested, [CB], method, 'web')).toMatchObject({ matches: true, rule, message });
});

test('a match except for the loopback port says so', () => {
  expect(
    matchRedirectUri('http://127.0.0.1:1/cb', ['http://127.0.0.1/cb'], 'full_match', 'native').message,
  ).toBe('matches a registered URI except for the loopback port (RFC 8252 section 7.3)');
});
