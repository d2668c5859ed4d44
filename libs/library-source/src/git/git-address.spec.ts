import { parseGitAddress } from './git-address.js';
import { GitSource } from './git-source.js';

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
  ['git+http, as an explicit choice', 'git+http://u:t@h/x.git', 'http://h/x.git'],
])('%s', (_case, text, url) => {
  expect(parseGitAddress(text)).toMatchObject({ url });
});

test.each([
  ['plain', 'git://user:token@h/x.git', 'user', 'token'],
  ['an @ in the token', 'git://user:to@ken@h/x.git', 'user', 'to@ken'],
  ['a : in the token', 'git://user:to:ken@h/x.git', 'user', 'to:ken'],
  ['percent-encoding', 'git://us%40er:t%2Fo%3Ak%25@h/x.git', 'us@er', 't/o:k%'],
  ['a user only', 'git://token@h/x.git', 'token', undefined],
  ['nobody', 'git://h/x.git', undefined, undefined],
])('user and token: %s', (_case, text, user, token) => {
  expect(parseGitAddress(text)).toMatchObject({ url: 'https://h/x.git', user, token });
});

test.each([
  ['git://h/a%40b/x.git', 'https://h/a%40b/x.git', undefined],
  ['git://u:t@h/a@b/x.git', 'https://h/a@b/x.git', undefined],
  ['git://h/x.git#app@1.2', 'https://h/x.git', 'app@1.2'],
  ['git://h/x.git#@scope/app@1.2', 'https://h/x.git', '@scope/app@1.2'],
  ['git://h/x.git#a%40b/c', 'https://h/x.git', 'a@b/c'],
  ['https://h/@group/x.git', 'https://h/@group/x.git', undefined],
  ['git://h/x.git#packages/@scope/app@1.2', 'https://h/x.git', 'packages/@scope/app@1.2'],
])('an @ belongs to the path or tag of %s', (text, url, ref) => {
  expect(parseGitAddress(text)).toMatchObject({ url, ref });
});

test('an @ in the path, encoded or not, is of the same source', () => {
  const { origin } = new GitSource({ address: 'git://u:t@h/a@b/x.git', subfolder: 'c' });
  expect(new GitSource({ address: 'git://h/a%40b/x.git#main', subfolder: 'c' }).origin).toBe(origin);
});

test('the branch, tag or commit follows #', () => {
  expect(parseGitAddress('git://h/x.git#release/1.2')).toMatchObject({
    url: 'https://h/x.git',
    ref: 'release/1.2',
  });
  expect(parseGitAddress('git://h/x.git').ref).toBeUndefined();
});

const ONLY_HTTPS =
  'ssh is not supported; write git://<user>:<token>@<host>/<path>.git, which is read over https';
const NO_ADDRESS =
  'it is neither a folder nor a Git URL; write git://, git+https:// or https:// for a repository, file:///folder or a path without ":" and "@" for a folder';
const UNENCODED =
  'the Git URL has an "@" after its host: if it ends the user or token, write "/", "?" and "#" in them as %2F, %3F and %23; if it belongs to the path, branch or tag, write it as %40';
const BROKEN = 'the Git URL has a "%" that is not a percent-encoding; write "%" as %25';

test.each([
  ['ssh://git:s3cret@h/x.git', ONLY_HTTPS],
  ['git+ssh://git:s3cret@h/x.git', ONLY_HTTPS],
  ['git@github.com:s3cret/library.git', ONLY_HTTPS],
  ['htps://u:s3cret@h/x.git', NO_ADDRESS],
  ['ftp://u:s3cret@h/x.git', NO_ADDRESS],
  ['git:/u:s3cret@h/x.git', NO_ADDRESS],
  ['git:u:s3cret@h/x.git', NO_ADDRESS],
  ['git//u:s3cret@h/x.git', NO_ADDRESS],
  ['//u:s3cret@h/x.git', NO_ADDRESS],
  ['u:s3cret@h/x.git', NO_ADDRESS],
  [
    'http://u:s3cret@h/x.git',
    'the token would be sent unencrypted: use https, or use git+http:// to send it anyway',
  ],
  [
    'http://s3cret@h/x.git',
    'the token would be sent unencrypted: use https, or use git+http:// to send it anyway',
  ],
  ['https://glpat/s3cret@h/x.git', UNENCODED],
  ['git://s3cret/s3cret@h:8443/x.git#main', UNENCODED],
  ['git+http://u:1234/s3cret@h/x.git', UNENCODED],
  ['git://u:s3cret/s3cret@h/x.git', UNENCODED],
  ['git://glpat?s3cret@h/x.git', UNENCODED],
  ['git://glpat/s3c?ret@h/x.git', UNENCODED],
  ['git://glpat#s3cret@h/x.git', UNENCODED],
  ['git://glpat/s3c#ret@h/x.git', UNENCODED],
  ['git://u:s3cret@h/x.git?a=b', 'a Git URL cannot contain "?"; write the branch, tag or commit after "#"'],
  ['git://u:s3cret@h', 'the Git URL has no path after the host'],
  ['git://u:s3cret@h/', 'the Git URL has no path after the host'],
  ['git://u:s3cret@/x.git', 'the Git URL has no valid host'],
  ['git://u:s3cret@h h/x.git', 'the Git URL has no valid host'],
  ['git://u:s3cret@h:99999/x.git', 'the Git URL has no valid port'],
  ['git://u:s3cret%zz@h/x.git', BROKEN],
  ['git://u:s3cret@h/x.git#%zz', BROKEN],
])('%s is rejected, without repeating the token', (text, message) => {
  expect(() => parseGitAddress(text)).toThrow(new RangeError(message));
});
