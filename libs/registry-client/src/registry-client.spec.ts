import { RegistryClient } from './registry-client.js';

const TOKEN = 'a-token-like-no-other-1234567890';
const open = (url: string, token = TOKEN) => new RegistryClient({ url, token, timeoutMs: 1_000 });

test.each([
  ['not a URL', 'registry', /must be an http or https address/],
  ['another scheme', 'ftp://registry', /must be an http or https address/],
  ['a user in the URL', 'https://me:s3cret@registry', /must not contain a user or password/],
  ['a query', 'https://registry/?a=s3cret', /must not contain a query/],
])('%s is rejected without being shown', (_case, url, message) => {
  expect(() => open(url)).toThrow(message);
  expect(() => open(url)).not.toThrow(/s3cret/);
  expect(() => open(url)).toThrow(RangeError);
});

test.each(['s3cret with spaces', 's3cret\nx: y', ''])(
  'the token %j is rejected without being shown',
  (token) => {
    expect(() => open('https://registry', token)).toThrow(/^token is not a valid bearer token/);
    expect(() => open('https://registry', token)).not.toThrow(/s3cret/);
  },
);

test.each([
  ['https://registry.example.com', false],
  ['http://localhost:8081', false],
  ['http://127.0.0.1:8081', false],
  ['http://[::1]:8081', false],
  ['http://registry.example.com', true],
  ['http://127.0.0.1.example.com', true],
])('the token would be sent unencrypted to %s: %s', (url, isOpen) => {
  expect(open(url).sendsInClear).toBe(isOpen);
});
