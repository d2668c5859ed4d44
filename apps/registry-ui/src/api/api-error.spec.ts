import { readRetryAfter } from './api-error.js';

const NOW = Date.UTC(2026, 0, 1, 12, 0, 0);

test.each([
  ['seconds', '3', 3_000],
  ['a date', 'Thu, 01 Jan 2026 12:00:07 GMT', 7_000],
  ['a date that has passed', 'Thu, 01 Jan 2026 11:00:00 GMT', 0],
  ['an unparseable value', 'soon', undefined],
  ['nothing', null, undefined],
])('%s', (_case, header, expected) => {
  expect(readRetryAfter(header, NOW)).toBe(expected);
});
