import { counted, escapeControls, escapeLine } from './text.js';

test.each([
  ['an escape sequence', '\u001b[2J', '\\u001b[2J'],
  ['a carriage return', 'ok\rno', 'ok\\u000dno'],
  ['a C1 control', 'a\u009bb', 'a\\u009bb'],
  ['an override of the direction', 'a\u202eb', 'a\\u202eb'],
  ['a line separator', 'a\u2028b', 'a\\u2028b'],
  ['letters of every script, tabs and line feeds', 'ž\t密\n🐎', 'ž\t密\n🐎'],
])('%s', (_case, text, escaped) => {
  expect(escapeControls(text)).toBe(escaped);
});

test('a line stays one line', () => {
  expect(escapeLine('a\nb\tc\u0007')).toBe('a\\nb\\tc\\u0007');
});

test('one is singular, zero is not', () => {
  expect([0, 1, 2].map((count) => counted(count, 'file'))).toEqual(['0 files', '1 file', '2 files']);
});
