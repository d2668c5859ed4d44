import { pointerTo } from './violation.js';

test('a pointer escapes ~ and / (RFC 6901 section 3)', () => {
  expect(pointerTo('redirect_uris', 1)).toBe('/redirect_uris/1');
  expect(pointerTo('a/b~c')).toBe('/a~1b~0c');
  expect(pointerTo()).toBe('');
});
