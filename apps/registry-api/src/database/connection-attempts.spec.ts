import { ConnectionAttempts } from './connection-attempts.js';

/** Of a URI file that can change, or be gone. */
function attemptsFor(first: string | undefined) {
  let uri = first;
  const attempts = new ConnectionAttempts({
    readUrl: () => {
      if (uri === undefined) throw new Error('no such file');
      return uri;
    },
  });
  const next = () => {
    const { attempt, config, version } = attempts.next();
    return { attempt, version, where: `${config.user}@${attempt.host}` };
  };
  return { attempts, next, change: (to: string | undefined) => (uri = to) };
}

const uriOf = (user: string, ...hosts: string[]) => `postgres://${user}@${hosts.join(',')}/r?sslmode=disable`;

/** A URI that has worked, and then changes. */
function changed(to: string | undefined) {
  const made = attemptsFor(uriOf('former', 'a'));
  made.attempts.worked(made.next().version);
  made.change(to);
  return made;
}

test('servers are tried in order, and the one that worked last comes first', () => {
  const { attempts, next } = attemptsFor(uriOf('u', 'a', 'b'));
  expect([attempts.count, next().where]).toEqual([2, 'u@a']);
  const { attempt, version } = next();
  attempts.failed(attempt);
  attempts.failed(attempt);
  expect(next().where).toBe('u@b');
  attempts.worked(version);
  expect(next().where).toBe('u@b');
});

test('a changed URI is tried first, at each of its servers, then the one that worked', () => {
  const { attempts, next } = changed(uriOf('new', 'b', 'c'));
  expect([next().where, attempts.count]).toEqual(['new@b', 3]);
  attempts.failed(next().attempt);
  expect([next().where, attempts.isFormerNext]).toEqual(['new@c', false]);
  attempts.failed(next().attempt);
  expect([next().where, attempts.isFormerNext, attempts.count]).toEqual(['former@a', true, 3]);
});

test('a rejected login is not tried at the other servers', () => {
  const { attempts, next } = changed(uriOf('new', 'b', 'c'));
  attempts.failed(next().attempt, true);
  expect(next().where).toBe('former@a');
});

test('the former URI is left when the new one works, and when it fails itself', () => {
  const { attempts, next } = changed(uriOf('new', 'b'));
  const { attempt, version } = next();
  attempts.failed(attempt);
  attempts.failed(next().attempt);
  expect(next().where).toBe('new@b');
  attempts.failed(next().attempt);
  expect(next().where).toBe('former@a');
  attempts.worked(version);
  expect([next().where, attempts.count]).toEqual(['new@b', 1]);
});

test('while the former URI is in use, its connections are not outdated', () => {
  const { attempts, next } = changed(uriOf('new', 'b'));
  const { attempt } = next();
  expect(attempts.supersedes(1)).toBe(true);
  attempts.failed(attempt);
  expect(attempts.supersedes(1)).toBe(false);
});

test.each([
  ['cannot be read', undefined],
  ['is empty', ''],
  ['is no URI', 'not a URI'],
])('the former URI is used while the new one %s', (_case, uri) => {
  const { attempts, next, change } = changed(uri);
  expect([next().where, attempts.count, attempts.supersedes(1)]).toEqual(['former@a', 1, false]);
  expect(() => attempts.next(false)).toThrow();
  change(uriOf('new', 'b'));
  expect(next().where).toBe('new@b');
});

test.each([
  ['cannot be read', undefined, 'no such file'],
  ['is empty', '', 'must begin with'],
  ['is no URI', 'not a URI', 'must begin with'],
])('without a former URI, one that %s is an error that says so', (_case, uri, reason) => {
  const { attempts, next } = attemptsFor(uri);
  expect(attempts.count).toBe(1);
  expect(next).toThrow(reason);
});
