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

const NOW = new Date('2026-05-20T12:00:00Z');

test.each([
  ['2026-05-20T11:59:50Z', 'just now'],
  ['2026-05-20T11:55:00Z', '5 minutes ago'],
  ['2026-05-20T15:00:00Z', 'in 3 hours'],
  ['2026-05-19T11:00:00Z', 'yesterday'],
  ['2026-05-18T13:00:00Z', '2 days ago'],
  ['2026-05-22T11:00:00Z', 'in 2 days'],
  ['2026-04-01T12:00:00Z', 'Apr 1, 2026'],
])('%s is %s at noon on May 20th', (time, expected) => {
  expect(formatRelativeTime(new Date(time), NOW)).toBe(expected);
});
