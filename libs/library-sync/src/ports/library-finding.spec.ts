import { InvalidLibraryError, findingText } from './library-finding.js';

const problem = { severity: 'error', code: 'name-characters', message: 'is odd' } as const;

test('a name or text with a line break is printed as one line', () => {
  const path = 'Parsers/line\nbreak\r\u2028\u0085.yaml';
  expect(findingText({ ...problem, path, line: 3 })).toBe(
    'Parsers/line\\nbreak\\u000d\\u2028\\u0085.yaml:3: error: is odd',
  );
  expect(findingText({ ...problem, path: 'a', message: 'has the tag !a\u202eb\nc' })).toBe(
    'a: error: has the tag !a\\u202eb\\nc',
  );
  expect(new InvalidLibraryError([{ ...problem, path }]).message.split('\n')).toHaveLength(2);
});

test('other names are unchanged', () => {
  expect(findingText({ ...problem, path: 'Žluťoučký kůň/# %.yaml' })).toBe(
    'Žluťoučký kůň/# %.yaml: error: is odd',
  );
});
