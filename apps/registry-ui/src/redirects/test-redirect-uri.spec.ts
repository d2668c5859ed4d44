import { findDivergence, testRedirectUri } from './test-redirect-uri.js';

const SHOP = { redirect_uris: ['https://shop.example/cb'], application_type: 'web' };

test.each([
  ['https://shop.example/cb', ['exact', 'prefix', 'unchecked']],
  ['https://shop.example/cb/deeper', ['no_match', 'prefix', 'unchecked']],
  ['https://evil.example/cb', ['no_match', 'no_match', 'unchecked']],
  ['javascript:alert(1)', ['no_match', 'uri_dangerous_scheme', 'uri_dangerous_scheme']],
])('for %s, the rule of each method is reported', (requested, rules) => {
  expect(testRedirectUri(requested, SHOP).map(({ match }) => match.rule)).toEqual(rules);
});

test('the most similar registered URI is found, with the point of divergence', () => {
  const registered = ['https://a.example/cb', 'https://b.example/callback', 'https://b.example/'];
  expect(findDivergence('https://b.example/calls', registered)).toEqual({
    registered: 'https://b.example/callback',
    common: 'https://b.example/call'.length,
  });
});

test('a common scheme alone is no similarity', () => {
  expect(findDivergence('https://x.example/', ['https://a.example/cb'])).toBeUndefined();
  expect(findDivergence('', [])).toBeUndefined();
});
