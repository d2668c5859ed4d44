import { textTable } from './text-table.js';

test('columns are aligned by characters, without spaces at the end of lines', () => {
  expect(
    textTable([
      ['ID', 'NAME'],
      ['a', '𝒳𝒴'],
      ['long', ''],
    ]),
  ).toBe('ID    NAME\na     𝒳𝒴\nlong');
});

test('a cell longer than 48 characters pushes only its own row', () => {
  const long = 'x'.repeat(60);
  expect(
    textTable([
      ['A', 'B'],
      [long, 'y'],
    ]),
  ).toBe(`A${' '.repeat(49)}B\n${long}  y`);
});

test('control characters are escaped', () => {
  expect(textTable([['a\n\u001b[2J']])).toBe('a\\n\\u001b[2J');
});
