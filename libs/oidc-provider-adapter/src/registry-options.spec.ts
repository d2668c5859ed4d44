import { readOptions } from './registry-options.js';

const TOKEN = 'a-token-like-no-other-1234567890';

test('omitted options have defaults', () => {
  expect(readOptions({ url: 'https://registry.example.com', token: TOKEN })).toMatchObject({
    url: new URL('https://registry.example.com/'),
    timeoutMs: 3_000,
    maxCacheBytes: 33_554_432,
    ca: undefined,
  });
});

test('a path prefix is kept', () => {
  const { url } = readOptions({ url: 'https://example.com/registry', token: TOKEN });
  expect(new URL('client/shop', url).href).toBe('https://example.com/registry/client/shop');
});

test('a token may be a function', () => {
  const tokens = ['first', 'second'];
  const { token } = readOptions({ url: 'https://registry.example.com', token: () => tokens.shift() ?? '' });
  expect([token(), token()]).toEqual(['first', 'second']);
});

test.each([
  ['not a URL', { url: 'registry' }, /^url must be an http or https address/],
  ['another scheme', { url: 'ftp://registry' }, /^url must be an http or https address/],
  ['a password in the URL', { url: 'https://me:s3cret@registry' }, /^url must not contain a user/],
  ['a query', { url: 'https://registry/?token=s3cret' }, /^url must not contain a user/],
  ['a fragment', { url: 'https://registry/#s3cret' }, /^url must not contain a user/],
  ['a deadline of 0', { timeoutMs: 0 }, /^timeoutMs must be an integer from 1 to 30000$/],
  ['a deadline beyond half a minute', { timeoutMs: 30_001 }, /^timeoutMs must be/],
  ['half a millisecond', { timeoutMs: 0.5 }, /^timeoutMs must be/],
  [
    'a cache too small for a Client',
    { maxCacheBytes: 1_000 },
    /^maxCacheBytes must be an integer from 1048576/,
  ],
])('%s is rejected, without showing the value', (_case, wrong, message) => {
  const read = () => readOptions({ url: 'https://registry.example.com', token: TOKEN, ...wrong });
  expect(read).toThrow(RangeError);
  expect(read).toThrow(message);
  expect(read).not.toThrow(/s3cret/);
});
