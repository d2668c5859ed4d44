import { sentence, wildcardExpression } from './text.js';

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
