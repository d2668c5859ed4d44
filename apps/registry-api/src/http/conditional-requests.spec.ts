import { ifNoneMatchLists, ifMatchAllows, toEntityTag } from './conditional-requests.js';

test('a sequence number is a strong tag', () => {
  expect(toEntityTag('17')).toBe('"17"');
});

test.each([
  ['no header', undefined, false, true],
  ['the tag', '"17"', true, true],
  ['another', '"18"', false, false],
  ['one of several', '"1", "17" ,"18"', true, true],
  ['any', '*', true, true],
  ['the tag, weakened by a proxy', 'W/"17"', true, false],
  ['a bare number, which is no tag', '17', false, false],
  ['a tag that holds the number', '"170"', false, false],
  ['nonsense', 'abc', false, false],
])('%s: %s', (_case, header, isNamed, isPermitted) => {
  expect(ifNoneMatchLists(header, '17')).toBe(isNamed);
  expect(ifMatchAllows(header, '17')).toBe(isPermitted);
});
