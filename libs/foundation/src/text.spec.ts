import { escapeControls, escapeLine, escapeLines, sentence, wildcardExpression } from './text.js';

test.each([
  ['the body is empty', 'The body is empty.'],
  ['a', 'A.'],
  ['', '.'],
])('%j as a sentence', (message, expected) => {
  expect(sentence(message)).toBe(expected);
});

test.each([
  ['*_lookups', 'geo_lookups', true],
  ['*_lookups', 'geo_lookups_', false],
  ['a**c', 'abc', true],
  ['a*', 'a\nb', true],
  ['a?c', 'a?c', true],
  ['a?c', 'abc', false],
  ['a.c', 'abc', false],
  ['(a|b)[c]$', '(a|b)[c]$', true],
  ['A*', 'abc', false],
])('if only * is a wildcard, %j matches %j: %s', (pattern, text, expected) => {
  expect(wildcardExpression(pattern, ['*']).test(text)).toBe(expected);
});

test('? can stand for one character, and case can be ignored', () => {
  const expression = wildcardExpression('A?', ['*', '?'], { ignoresCase: true });
  expect(['ab', 'a', 'abc'].map((text) => expression.test(text))).toEqual([true, false, false]);
});

test.each([
  ['an escape sequence', '\u001b[2J', '\\u001b[2J'],
  ['a carriage return', 'ok\rno', 'ok\\u000dno'],
  ['a C1 control', 'a\u009bb', 'a\\u009bb'],
  ['an override of the direction', 'a\u202eb', 'a\\u202eb'],
  ['a line separator', 'a\u2028b', 'a\\u2028b'],
  ['letters of every script, tabs and line feeds', 'ž\t密\n🐎', 'ž\t密\n🐎'],
])('printed safely: %s', (_case, text, escaped) => {
  expect(escapeControls(text)).toBe(escaped);
});

test('a line stays one line', () => {
  expect(escapeLine('a\nb\tc\u0007')).toBe('a\\nb\\tc\\u0007');
});

test('lines stay as many as they are', () => {
  expect(escapeLines(['a\nb', 'c\u2028d'])).toBe('a\\nb\nc\\u2028d');
});
