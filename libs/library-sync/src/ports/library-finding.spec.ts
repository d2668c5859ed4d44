import { InvalidLibraryError, findingText, toOneLine } from './library-finding.js';

const problem = { severity: 'error', code: 'name-characters', message: 'is odd' } as const;

test('a name with a line break is printed as one line', () => {
  const path = 'Parsers/line\nbreak\r\u2028\u0085.yaml';
  expect(findingText({ ...problem, path, line: 3 })).toBe(
    'Parsers/line\\u000abreak\\u000d\\u2028\\u0085.yaml:3: error: is odd',
  );
  expect(new InvalidLibraryError([{ ...problem, path }]).message.split('\n')).toHaveLength(2);
});

test('names cannot clear a terminal or reverse text; other names are unchanged', () => {
  expect(toOneLine('\u001b[2Ja\u202eb')).toBe('\\u001b[2Ja\\u202eb');
  expect(toOneLine('Žluťoučký kůň/# %.yaml')).toBe('Žluťoučký kůň/# %.yaml');
});
