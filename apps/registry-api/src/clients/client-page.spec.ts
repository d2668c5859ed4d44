import { InvalidCursorError } from './client.errors.js';
import { fromCursor, toCursor } from './client-page.js';

test.each(['shop', 'a b', '%'.repeat(255), '0 1'])('a cursor brings back the position of %s', (clientId) => {
  const position = { createdAt: new Date('2026-11-21T08:00:00.123Z'), clientId };
  expect(fromCursor(toCursor(position))).toEqual(position);
});

test.each(['', 'nonsense', '!', Buffer.from('x shop').toString('base64url')])('%j is no cursor', (cursor) => {
  expect(() => fromCursor(cursor)).toThrow(InvalidCursorError);
});

test('a time that PostgreSQL could not take is no cursor', () => {
  const beyond = Buffer.from('99999999999999 shop').toString('base64url');
  expect(() => fromCursor(beyond)).toThrow(InvalidCursorError);
});
