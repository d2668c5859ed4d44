import { isGitAddress, parseGitAddress } from './git-address.js';

test.each([
  [
    'git means https',
    'git://u:t@git.example.com/group/library.git',
    'https://git.example.com/group/library.git',
  ],
  ['git means http on loopback', 'git://u:t@127.0.0.1:8000/x.git', 'http://127.0.0.1:8000/x.git'],
  ['git means http on IPv6 loopback', 'git://u:t@[::1]:8000/x.git', 'http://[::1]:8000/x.git'],
  ['git+https', 'git+https://u:t@h/x.git', 'https://h/x.git'],
  ['https', 'https://h:8443/x.git', 'https://h:8443/x.git'],
  ['git+http, where someone insists', 'git+http://u:t@h/x.git', 'http://h/x.git'],
])('%s', (_case, text, url) => {
  expect(parseGitAddress(text)).toMatchObject({ url });
  expect(isGitAddress(text)).toBe(true);
});

test.each([
  ['plain', 'git://user:token@h/x.git', 'user', 'token'],
  ['an @ in the token', 'git://user:to@ken@h/x.git', 'user', 'to@ken'],
  ['a : in the token', 'git://user:to:ken@h/x.git', 'user', 'to:ken'],
  ['percent-encoding', 'git://us%40er:t%2Fo%3Ak%25@h/x.git', 'us@er', 't/o:k%'],
  ['a user alone', 'git://token@h/x.git', 'token', undefined],
  ['nobody', 'git://h/x.git', undefined, undefined],
])('user and token: %s', (_case, text, user, token) => {
  expect(parseGitAddress(text)).toMatchObject({ url: 'https://h/x.git', user, token });
});

test('the branch, tag or commit stands after #', () => {
  expect(parseGitAddress('git://h/x.git#release/1.2')).toMatchObject({
    url: 'https://h/x.git',
    ref: 'release/1.2',
  });
  expect(parseGitAddress('git://h/x.git').ref).toBeUndefined();
});

test.each([
  ['ssh', 'ssh://git:s3cret@h/x.git'],
  ['a token over http', 'http://u:s3cret@h/x.git'],
  ['a query', 'git://u:s3cret@h/x.git?a=b'],
  ['no path', 'git://u:s3cret@h'],
  ['no host', 'git://u:s3cret@/x.git'],
  ['a broken percent-encoding', 'git://u:s3cret%zz@h/x.git'],
  ['a space in the host', 'git://u:s3cret@h h/x.git'],
])('%s is refused, and the token not repeated', (_case, text) => {
  const parse = () => parseGitAddress(text);
  expect(parse).toThrow(RangeError);
  expect(parse).not.toThrow(/s3cret/);
});

test.each(['/srv/library', './library', 'library', 'C:\\library', 'file:///srv'])(
  '%s is no git address',
  (text) => {
    expect(isGitAddress(text)).toBe(false);
  },
);
