import { characterViolations } from './text-violations.js';

test.each([
  ['a\0', 'nul_character', 'contains a NUL character at character 2'],
  ['\x85', 'control_character', 'contains a control character at character 1'],
  [
    'ab\u202e',
    'bidi_character',
    'contains a character that overrides the direction of writing (UAX #9) at character 3',
  ],
  [
    '😀\ud800',
    'lone_surrogate',
    'contains half of a surrogate pair, so it is not Unicode text at character 2',
  ],
])('%j is reported as %s with its position', (text, code, message) => {
  expect(characterViolations(text)).toEqual([{ code, message }]);
});

test('each kind of character yields one violation', () => {
  expect(characterViolations('\n\0\n').map(({ code }) => code)).toEqual([
    'nul_character',
    'control_character',
  ]);
  expect(characterViolations('Café 😀')).toEqual([]);
});
