import fc from 'fast-check';
import { parseSearch, pickParams, writeSearch } from './search-params.js';

test('values that look like numbers or booleans stay strings', () => {
  expect(parseSearch('?client=123&enabled=true&q=%7B%7D')).toEqual({
    client: '123',
    enabled: 'true',
    q: '{}',
  });
});

test('empty values are not serialized', () => {
  expect(writeSearch({ q: '', sort: undefined })).toBe('');
});

test('serialized parameters parse to the same values', () => {
  const name = fc.stringMatching(/^[a-z_]{1,12}$/);
  const value = fc.string({ minLength: 1, unit: 'grapheme' });
  fc.assert(
    fc.property(fc.dictionary(name, value), (params) => {
      expect(parseSearch(writeSearch(params))).toEqual({ ...params });
    }),
  );
});

test('only the named parameters that exist are picked', () => {
  expect(pickParams({ q: 'a', sort: '', other: 'b' }, ['q', 'sort', 'enabled'])).toEqual({ q: 'a' });
});
