import { optionalText } from './changes.js';
import { text as clientText } from './client.js';
import { text } from './text.js';
import { formatRelativeTime } from './times.js';

test('a text is filled with values and uses the right plural', () => {
  expect(text('clients.loaded', { count: 1 })).toBe('1 client');
  expect(text('clients.loaded', { count: 12_000 })).toBe('12,000 clients');
});

test('a value is inserted once and verbatim', () => {
  expect(clientText('client.deleted', { name: '{name} $& <b>' })).toBe('{name} $& <b> deleted');
});

test('an unknown text name is undefined, never a property of Object.prototype', () => {
  expect(optionalText('constructor')).toBeUndefined();
});

/** In May 2026, in the time zone of the machine: days are the user's. */
const may = (day: number, hour: number, minute = 0, second = 0) =>
  new Date(2026, 4, day, hour, minute, second);

test.each([
  [may(20, 11, 59, 50), 'just now'],
  [may(20, 11, 55), '5 minutes ago'],
  [may(20, 15), 'in 3 hours'],
  [may(19, 11), 'yesterday'],
  [may(18, 13), '2 days ago'],
  [may(22, 11), 'in 2 days'],
  [new Date(2026, 3, 1), 'Apr 1, 2026'],
])('%s is %s at noon on May 20th', (time, expected) => {
  expect(formatRelativeTime(time, may(20, 12))).toBe(expected);
});
