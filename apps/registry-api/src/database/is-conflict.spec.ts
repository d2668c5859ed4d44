import { isConflict } from './is-conflict.js';

const failure = (code?: unknown) => Object.assign(new Error('it failed'), { code });

test.each([
  ['a deadlock', failure('40P01'), true],
  ['a serialization failure', failure('40001'), true],
  ['a duplicate key', failure('23505'), false],
  ['an error of the network', failure('ECONNRESET'), false],
  ['a number', failure(40001), false],
  ['an error without a code', failure(), false],
  ['a text', '40P01', false],
  ['nothing', null, false],
])('%s: %s', (_case, error, expected) => {
  expect(isConflict(error)).toBe(expected);
});
