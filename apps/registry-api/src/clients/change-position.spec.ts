import { formatPosition, isSamePosition, parsePosition } from './change-position.js';

test.each([
  ['0', { seq: 0, mark: '' }],
  ['42', { seq: 42, mark: '' }],
  ['42-0123456789ab', { seq: 42, mark: '0123456789ab' }],
])('%s is a position', (text, position) => {
  expect(parsePosition(text)).toEqual(position);
  expect(formatPosition(position)).toBe(text);
});

test.each([
  '',
  '-1',
  '42-',
  '42-0123456789a',
  '42-0123456789AB',
  '1e3',
  '0x1',
  '1.5',
  '9999999999999999',
  ' 1',
])('%j is not a position', (text) => {
  expect(parsePosition(text)).toBeUndefined();
});

test('positions are the same when both number and mark are', () => {
  const position = { seq: 42, mark: '0123456789ab' };
  expect(isSamePosition(position, { ...position })).toBe(true);
  expect(isSamePosition(position, { ...position, seq: 43 })).toBe(false);
  expect(isSamePosition(position, { ...position, mark: '' })).toBe(false);
});
