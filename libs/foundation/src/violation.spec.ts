import { furtherViolations, pointerTo } from './violation.js';

test('a pointer escapes ~ and / (RFC 6901 section 3)', () => {
  expect(pointerTo('redirect_uris', 1)).toBe('/redirect_uris/1');
  expect(pointerTo('a/b~c')).toBe('/a~1b~0c');
  expect(pointerTo()).toBe('');
});

test('violations that a list has no room for are counted', () => {
  expect(furtherViolations(51)).toEqual({
    field: '',
    code: 'more_problems',
    message: 'there are 51 more violations',
  });
  expect(furtherViolations(1, '/lines')).toMatchObject({
    field: '/lines',
    message: 'there is 1 more violation',
  });
});
