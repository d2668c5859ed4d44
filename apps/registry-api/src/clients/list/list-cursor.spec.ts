import { ALL_CLIENTS } from '@svc/client-metadata';
import fc from 'fast-check';
import { fromCursor, listIdOf, MAX_CURSOR_LENGTH, toCursor } from './list-cursor.js';
import type { ClientFilter } from './page-request.js';

/** Any code point but a lone surrogate. fast-check's `unit: 'binary'` would build a table of a million entries. */
const codePoint = fc
  .oneof(fc.nat(0xd7ff), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((code) => String.fromCodePoint(code));

const NONE: ClientFilter = { selector: ALL_CLIENTS, metadata: [] };
const LIST = listIdOf('client_name', NONE);

const anyText = fc.string({ unit: codePoint, maxLength: 255 }).filter((text) => !text.includes('\0'));

test('a cursor restores every position, within its maximum length', () => {
  fc.assert(
    fc.property(anyText, anyText, fc.nat(), (key, clientId, number) => {
      const seq = `${number}-0123456789ab`;
      const cursor = toCursor(LIST, { after: { key, clientId }, seq });
      expect(cursor.length).toBeLessThanOrEqual(MAX_CURSOR_LENGTH);
      expect(fromCursor(cursor, LIST, false)).toEqual({ after: { key, clientId }, seq });
    }),
  );
});

test('a time is a position, too', () => {
  const position = { after: { key: 1_763_712_000_123, clientId: 'shop' }, seq: '7' };
  expect(fromCursor(toCursor(LIST, position), LIST, true)).toEqual(position);
});

test('a cursor of another sort or filter is distinguished from an invalid one', () => {
  const cursor = toCursor(LIST, { after: { key: 'a', clientId: 'b' }, seq: '1' });
  for (const other of [
    listIdOf('-client_name', NONE),
    listIdOf('client_name', { ...NONE, q: 'shop' }),
    listIdOf('client_name', { ...NONE, enabled: true }),
    listIdOf('client_name', { ...NONE, createdSince: new Date(1) }),
    listIdOf('client_name', {
      ...NONE,
      metadata: [{ field: 'application_type', type: 'string', value: 'web' }],
    }),
    listIdOf('client_name', { ...NONE, selector: { labels: { team: ['shop'] } } }),
  ]) {
    expect(() => fromCursor(cursor, other, false)).toThrow(
      'the cursor belongs to a different sort or filter; start without one',
    );
  }
});

const cursorOf = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

test.each([
  ['no text at all', ''],
  ['nonsense', 'nonsense'],
  ['no base64', '!'],
  ['no list', cursorOf({ list: LIST })],
  ['too short', cursorOf([LIST, 1, 'a'])],
  ['a negative number', cursorOf([LIST, -1, 'a', 'b'])],
  ['a fraction', cursorOf([LIST, 0.5, 'a', 'b'])],
  ['a key of another kind', cursorOf([LIST, 1, 5, 'b'])],
  ['a NUL', cursorOf([LIST, 1, 'a\0', 'b'])],
  ['a NUL in the id', cursorOf([LIST, 1, 'a', 'b\0'])],
])('%s is not a cursor', (_case, cursor) => {
  expect(() => fromCursor(cursor, LIST, false)).toThrow(expect.objectContaining({ code: 'invalid_cursor' }));
});

test.each([['a text'], ['9'], [8_640_000_000_000_001], [null]])('%j is not a time', (key) => {
  expect(() => fromCursor(cursorOf([LIST, 1, key, 'b']), LIST, true)).toThrow(
    expect.objectContaining({ code: 'invalid_cursor' }),
  );
});
